/* Calls that the vendor's driver has and abi/tables does not know: they pass, and are counted. */
#ifndef FACET_DIRECT_UNRULED_H
#define FACET_DIRECT_UNRULED_H

#include <stdbool.h>

/* The path of the vendor's library that the entries were written for; NULL: none were written. */
const char *facet_unruled_vendor(void);
/* Looks up where the calls go. */
void facet_unruled_start(void *library);
/* From now on they are refused, or pass. */
void facet_unruled_refuse(bool refused);
/* Our entry for a function of the vendor's that has no rule; NULL: it is not one of these. */
void *facet_unruled_entry(const void *function);
/* Whether the vendor has a version of the call that abi/tables does not know: NAME_v7. */
bool facet_unruled_newer(const char *name);
/* Tells the daemon what was called since the last time. Costs a load when nothing was. */
void facet_unruled_tell(void);

#endif
