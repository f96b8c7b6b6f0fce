/* What went wrong, as one line on standard error. */
#ifndef FACET_SAY_H
#define FACET_SAY_H

#include <stdbool.h>

/* Always false, so that a function can end with it. */
__attribute__((format(printf, 1, 2))) bool facet_fail(const char *format, ...);

/* The last of these lines, without "facet: " and its end; empty when there was none. */
const char *facet_last_failure(void);

#endif
