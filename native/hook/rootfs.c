#include "rootfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "say.h"

static bool path_of(int descriptor, char *path, size_t bytes)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, bytes - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0 && path[0] == '/';
}

static uint64_t mount_of(int descriptor)
{
    struct statx status;
    return statx(descriptor, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) == 0 ? status.stx_mnt_id : 0;
}

bool rootfs_open(struct rootfs *rootfs, const char *path, struct record *record)
{
    struct stat status;
    rootfs->record = record;
    rootfs->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (rootfs->root < 0 || fstat(rootfs->root, &status) != 0) {
        return facet_fail("the container's root %s is not among its mounts (%s); runtimes that start virtual machines are not supported", path,
                          strerror(errno));
    }
    if (!path_of(rootfs->root, rootfs->path, sizeof rootfs->path)) {
        return facet_fail("the path of the container's root %s cannot be found out: %s", path, strerror(errno));
    }
    if (strcmp(rootfs->path, "/") == 0) {
        return facet_fail("the container's root is the root of its mounts; it was changed to before the hook ran");
    }
    rootfs->mount = mount_of(rootfs->root);
    return record_root(record, &status, rootfs->path);
}

int rootfs_find(const struct rootfs *rootfs, const char *path, struct stat *status)
{
    int found = facet_open_in_root(rootfs->root, path, O_PATH, 0);
    if (found >= 0 && fstat(found, status) != 0) {
        close(found);
        return -1;
    }
    return found;
}

/* What was made is listed where it can be found when the container is gone: not on its own mounts. */
static bool list(struct rootfs *rootfs, int made)
{
    struct stat status;
    char path[PATH_MAX];
    size_t prefix = strlen(rootfs->path);
    if (fstat(made, &status) != 0 || !path_of(made, path, sizeof path)) {
        return facet_fail("what was made in the container's root cannot be found again: %s", strerror(errno));
    }
    if (mount_of(made) != rootfs->mount || strncmp(path, rootfs->path, prefix) != 0 || path[prefix] != '/') {
        return true;
    }
    return record_placeholder(rootfs->record, &status, path + prefix);
}

static int wrong(const char *path, int number)
{
    facet_fail("/%s of the container cannot be made to mount there: %s", path, facet_kernel_reason(number));
    return -1;
}

static int keep_if(struct rootfs *rootfs, int made)
{
    if (made >= 0 && !list(rootfs, made)) {
        close(made);
        return -1;
    }
    return made;
}

static int make_folder(struct rootfs *rootfs, const char *path)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    const char *name = slash == NULL ? path : path + (slash - parent) + 1;
    if (slash != NULL) {
        *slash = 0;
    }
    int above = slash == NULL ? dup(rootfs->root) : rootfs_folder(rootfs, parent);
    if (above < 0) {
        return -1;
    }
    int made = mkdirat(above, name, 0755) == 0 ? facet_open_plain(above, name, O_PATH | O_DIRECTORY) : -1;
    int reason = errno;
    close(above);
    /* EEXIST: a link that leads nowhere */
    return made < 0 ? wrong(path, reason == EEXIST ? ENOENT : reason) : keep_if(rootfs, made);
}

int rootfs_folder(struct rootfs *rootfs, const char *path)
{
    int found = facet_open_in_root(rootfs->root, path, O_PATH | O_DIRECTORY, 0);
    if (found >= 0) {
        return found;
    }
    return errno == ENOENT ? make_folder(rootfs, path) : wrong(path, errno);
}

static int make_file(struct rootfs *rootfs, const char *path)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash != NULL) {
        *slash = 0;
        int above = rootfs_folder(rootfs, parent);
        if (above < 0) {
            return -1;
        }
        close(above);
    }
    /* Through a link that leads nowhere yet, too. Whatever appears there meanwhile must not make us wait. */
    int made = facet_open_in_root(rootfs->root, path, O_CREAT | O_RDONLY | O_NONBLOCK | O_NOCTTY, 0644);
    return made < 0 ? wrong(path, errno) : keep_if(rootfs, made);
}

int rootfs_file(struct rootfs *rootfs, const char *path)
{
    struct stat status;
    int found = rootfs_find(rootfs, path, &status);
    if (found < 0) {
        return errno == ENOENT ? make_file(rootfs, path) : wrong(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        close(found);
        facet_fail("/%s of the container is no regular file; nothing can be mounted there", path);
        return -1;
    }
    return found;
}
