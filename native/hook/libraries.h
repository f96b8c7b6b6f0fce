/* Our libraries in the places where a container's programs find them without any environment. */
#ifndef FACET_HOOK_LIBRARIES_H
#define FACET_HOOK_LIBRARIES_H

#include "rootfs.h"

/* Mounts each of them from a folder that is mounted in the container already. */
bool libraries_mount(struct rootfs *rootfs, int folder);

#endif
