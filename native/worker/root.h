/* A root folder with nothing in it but what was named, all of it read-only; devices among it can be opened for everything. */
#ifndef FACET_CONFINE_ROOT_H
#define FACET_CONFINE_ROOT_H

#include <stdbool.h>

/* False with what could not be made in *why. The mounts must be our own. */
bool root_change(const char *const *reads, int count, const char *const *devices, int device_count, const char **why);

#endif
