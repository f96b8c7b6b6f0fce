/* The file system of a container that is about to start. Paths are looked up below its root as the container will see them, and
 * what is missing to mount something is made and put on the record. */
#ifndef FACET_HOOK_ROOTFS_H
#define FACET_HOOK_ROOTFS_H

#include <limits.h>
#include <stdint.h>

#include "record.h"

struct rootfs {
    int root;
    char path[PATH_MAX]; /* as this process sees it */
    uint64_t mount;      /* number of the mount that the root is on */
    struct record *record;
};

/* path is absolute. What is wrong is said on standard error. */
bool rootfs_open(struct rootfs *rootfs, const char *path, struct record *record);

/* What is there; -1 with errno. Paths are relative to the root. */
int rootfs_find(const struct rootfs *rootfs, const char *path, struct stat *status);

/* A folder or a regular file, made if need be, as a place to mount on; -1 when that was complained about. */
int rootfs_folder(struct rootfs *rootfs, const char *path);
int rootfs_file(struct rootfs *rootfs, const char *path);

#endif
