/* Whether a container may want a slice, seen without reading its configuration as JSON: most containers want none,
 * and must not pay for that, nor depend on a daemon. */
#ifndef FACET_WISH_H
#define FACET_WISH_H

#include <stdbool.h>

/* False: for sure not. */
bool facet_wish_possible(const char *config);

/* Whether it may say which engine. */
bool facet_wish_of_engine(const char *config);

#endif
