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

#include "say.h"

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

int facet_mount_ready(const char *path, bool noexec)
{
    int mount = facet_mount_clone(AT_FDCWD, path);
    if (mount < 0 || !facet_mount_restrict(mount, noexec)) {
        facet_fail("%s cannot be made ready to be mounted in the container: %s", path, facet_kernel_reason(errno));
        if (mount >= 0) {
            close(mount);
        }
        return -1;
    }
    return mount;
}

bool facet_mount_attach(int mount, int target)
{
    return syscall(SYS_move_mount, mount, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0;
}

int facet_enter_mounts(pid_t process)
{
    int way_back = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    int other = way_back < 0 ? -1 : (int)syscall(SYS_pidfd_open, process, 0);
    bool entered = other >= 0 && setns(other, CLONE_NEWNS) == 0;
    int reason = errno;
    if (other >= 0) {
        close(other);
    }
    if (!entered && way_back >= 0) {
        close(way_back);
    }
    errno = reason;
    return entered ? way_back : -1;
}

bool facet_return_mounts(int way_back)
{
    return setns(way_back, CLONE_NEWNS) == 0;
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
    if (number == ENOENT || number == ELOOP) {
        return "there is a link that leads nowhere, or must not be followed";
    }
    return number == EROFS ? "the container's file system is read-only; let the image have the folder" : strerror(number);
}
