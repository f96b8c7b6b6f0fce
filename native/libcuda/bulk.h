/* Copies of many megabytes. */
#ifndef FACET_BULK_H
#define FACET_BULK_H

#include <stddef.h>

/* As memmove. Large copies do not go through the caches: nobody reads the data soon, or all of it. */
void facet_bulk_copy(void *to, const void *from, size_t bytes);

#endif
