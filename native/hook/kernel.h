/* Calls of Linux by which mounts are made from descriptors, not from paths: C libraries know them since lately only. */
#ifndef FACET_HOOK_KERNEL_H
#define FACET_HOOK_KERNEL_H

#include <stdbool.h>
#include <sys/types.h>

/* Opens a path of a container. Links are followed, but never out of its root. */
int facet_open_in_root(int root, const char *path, int flags, mode_t mode);

/* The same for a path without links. */
int facet_open_plain(int root, const char *path, int flags);

/* A mount of a file or folder that is nowhere attached yet. */
int facet_mount_clone(int folder, const char *path);

/* Makes it read-only, without set-user-ID programs and devices; with noexec also without programs. */
bool facet_mount_restrict(int mount, bool noexec);

/* Both, of a path; -1 when that was complained about. */
int facet_mount_ready(const char *path, bool noexec);

bool facet_mount_attach(int mount, int target);

/* Joins the mount namespace of a process. The descriptor of the one that was left is the way back; -1 with errno. */
int facet_enter_mounts(pid_t process);
bool facet_return_mounts(int way_back);

/* What to say after one of these failed. */
const char *facet_kernel_reason(int number);

#endif
