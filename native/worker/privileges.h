/* What a process may do, taken from it for good. */
#ifndef FACET_CONFINE_PRIVILEGES_H
#define FACET_CONFINE_PRIVILEGES_H

#include "options.h"

/* Root without the right to make namespaces becomes the program's user at once: as that user it can make them in
 * a namespace of users. */
void privileges_prepare(struct confine_options *options);

/* Limits of resources; a lower one can be set by anybody. */
void privileges_limit(const struct confine_options *options);

/* Another user, no groups, no capabilities, and no way to get any. */
void privileges_drop(const struct confine_options *options);

/* For the process that watches: nothing but the right to end the program. */
void privileges_keep_kill(void);

#endif
