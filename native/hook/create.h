/* Giving a container its slice, and taking it back. */
#ifndef FACET_HOOK_CREATE_H
#define FACET_HOOK_CREATE_H

#include "container.h"

/* All of it or nothing; what went wrong was said on standard error. kept is the name of a slice to join, or NULL. */
bool hook_create(const char *runtime_directory, const struct container *container, const char *kept);

/* Does nothing for a container that is none of ours. What cannot be removed is said, and left. */
void hook_delete(const char *runtime_directory, const char *id);

#endif
