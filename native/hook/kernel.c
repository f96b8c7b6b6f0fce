#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* <sys/mount.h> has it too, but does not go together with <linux/mount.h>. */
#define FACET_PRIVATE (1 << 18)

static int open_how(int root, const char *path, int flags, mode_t mode, unsigned long long resolve)
{
    struct open_how how = {
        .flags = (unsigned)flags | O_CLOEXEC,
        .mode = (flags & O_CREAT) != 0 ? mode : 0,
        .resolve = resolve | RESOLVE_NO_MAGICLINKS,
    };
    int descriptor;
    /* EAGAIN: something was renamed meanwhile, and the kernel cannot tell whether the path left the root. */
    for (int tries = 0; tries < 100; tries++) {
        descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
        if (descriptor >= 0 || (errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    return descriptor;
}

int facet_open_in_root(int root, const char *path, int flags, mode_t mode)
{
    return open_how(root, path, flags, mode, RESOLVE_IN_ROOT);
}

int facet_open_plain(int root, const char *path, int flags)
{
    return open_how(root, path, flags, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
}

int facet_mount_clone(int folder, const char *path)
{
    return (int)syscall(SYS_open_tree, folder, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (*path == 0 ? AT_EMPTY_PATH : 0));
}

bool facet_mount_restrict(int mount, bool noexec)
{
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (noexec ? MOUNT_ATTR_NOEXEC : 0),
        .propagation = FACET_PRIVATE,
    };
    return syscall(SYS_mount_setattr, mount, "", AT_EMPTY_PATH, &attributes, sizeof attributes) == 0;
}

bool facet_mount_attach(int mount, int target)
{
    return syscall(SYS_move_mount, mount, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
}

bool facet_enter_mounts(pid_t process)
{
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    bool entered = descriptor >= 0 && setns(descriptor, CLONE_NEWNS) == 0;
    int reason = errno;
    if (descriptor >= 0) {
        close(descriptor);
    }
    errno = reason;
    return entered;
}

const char *facet_kernel_reason(int number)
{
    static char text[256];
    struct utsname name;
    if (number == ENOSYS && uname(&name) == 0) {
        snprintf(text, sizeof text, "Linux 5.12 or newer is needed, this is %s", name.release);
        return text;
    }
    if (number == EPERM || number == EACCES) {
        snprintf(text, sizeof text, "%s; the hook needs the rights of root over the container's mounts", strerror(number));
        return text;
    }
    return number == EROFS ? "the container's file system is read-only; let the image have the folder" : strerror(number);
}
