/* Our libraries in the places where a container's programs find them without any environment. */
#ifndef FACET_HOOK_LIBRARIES_H
#define FACET_HOOK_LIBRARIES_H

#include "rootfs.h"

/* Mounts each of them from a folder that is mounted in the container already. */
bool libraries_mount(struct rootfs *rootfs, int folder, bool direct);

/* The folder that the container's own linker is sure to look into, relative to the root. */
const char *libraries_home(const struct rootfs *rootfs);

#endif
