#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The machine's root and the new one, while both are there. */
#define OLD "/old"
#define NEW "/new"

enum { LINKS = 40 };

static bool make_file(const char *path)
{
    int made = open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0444);
    if (made >= 0) {
        close(made);
    }
    return made >= 0;
}

/* Without privileges what the machine's administrator forbids for a mount has to be said again. */
static unsigned long kept_flags(const char *path)
{
    static const struct {
        unsigned long status;
        unsigned long flag;
    } KEPT[] = {{ST_NOEXEC, MS_NOEXEC}, {ST_NOATIME, MS_NOATIME}, {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME}};
    struct statvfs status;
    unsigned long flags = 0;
    if (statvfs(path, &status) == 0) {
        for (size_t i = 0; i < sizeof KEPT / sizeof KEPT[0]; i++) {
            flags |= (status.f_flag & KEPT[i].status) != 0 ? KEPT[i].flag : 0;
        }
    }
    return flags;
}

/* Something that was named before may have brought it along. */
static bool is_there(const char *path, const struct stat *status)
{
    struct stat found;
    return lstat(path, &found) == 0 && found.st_dev == status->st_dev && found.st_ino == status->st_ino;
}

/* What a mount forbids: of what is only read also to be a device. */
enum kind { READ, DEVICE };

static bool bind(const char *from, const char *to, enum kind kind)
{
    unsigned long forbidden = kind == DEVICE ? MS_NOEXEC : MS_RDONLY | MS_NODEV;
    return mount(from, to, NULL, MS_BIND, NULL) == 0 &&
           mount(NULL, to, NULL, MS_BIND | MS_REMOUNT | MS_NOSUID | forbidden | kept_flags(to), NULL) == 0;
}

/* What a symbolic link at the end of done says, put before the rest of the path. */
static bool follow(const char *from, char *done, char *rest)
{
    char target[PATH_MAX];
    char longer[2 * PATH_MAX];
    ssize_t length = readlink(from, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    target[length] = 0;
    char *parent = strrchr(done, '/');
    *parent = 0;
    if (target[0] == '/') {
        done[0] = 0;
    }
    int needed = snprintf(longer, sizeof longer, "%s/%s", target, rest);
    if (needed >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(rest, longer, (size_t)needed + 1);
    return true;
}

/* Makes the next part of a path in the new root as it is in the old one: a folder, a link, or at the end a mount. */
static bool step(char *done, char *rest, enum kind kind, bool *link)
{
    char from[PATH_MAX + sizeof OLD];
    char to[PATH_MAX + sizeof NEW];
    struct stat status;
    snprintf(from, sizeof from, "%s%s", OLD, done);
    snprintf(to, sizeof to, "%s%s", NEW, done);
    *link = false;
    if (lstat(from, &status) != 0) {
        return false;
    }
    bool last = rest[strspn(rest, "/")] == 0;
    if (S_ISLNK(status.st_mode)) {
        char target[PATH_MAX];
        ssize_t length = readlink(from, target, sizeof target - 1);
        if (length <= 0) {
            return false;
        }
        target[length] = 0;
        *link = true;
        return (is_there(to, &status) || symlink(target, to) == 0 || errno == EEXIST) && follow(from, done, rest);
    }
    if (is_there(to, &status)) {
        return true;
    }
    if (S_ISDIR(status.st_mode)) {
        return (mkdir(to, 0755) == 0 || errno == EEXIST) && (!last || bind(from, to, kind));
    }
    if (!last) {
        errno = ENOTDIR;
        return false;
    }
    return make_file(to) && bind(from, to, kind);
}

/* Walks a path part by part: the old root's links lead from its own root, not from ours. */
static bool provide(const char *path, enum kind kind)
{
    char done[PATH_MAX] = "";
    char rest[PATH_MAX];
    int links = 0;
    if (snprintf(rest, sizeof rest, "%s", path) >= (int)sizeof rest) {
        errno = ENAMETOOLONG;
        return false;
    }
    while (rest[strspn(rest, "/")] != 0) {
        char *start = rest + strspn(rest, "/");
        size_t length = strcspn(start, "/");
        bool link = false;
        if (length == 2 && strncmp(start, "..", 2) == 0) {
            char *slash = strrchr(done, '/');
            if (slash != NULL) {
                *slash = 0;
            }
            memmove(rest, start + length, strlen(start + length) + 1);
            continue;
        }
        if (length == 1 && start[0] == '.') {
            memmove(rest, start + length, strlen(start + length) + 1);
            continue;
        }
        size_t used = strlen(done);
        if (used + 1 + length >= sizeof done) {
            errno = ENAMETOOLONG;
            return false;
        }
        done[used] = '/';
        memcpy(done + used + 1, start, length);
        done[used + 1 + length] = 0;
        memmove(rest, start + length, strlen(start + length) + 1);
        if (!step(done, rest, kind, &link)) {
            return false;
        }
        if (link && ++links > LINKS) {
            errno = ELOOP;
            return false;
        }
    }
    return true;
}

bool root_change(const char *const *reads, int count, const char *const *devices, int device_count, const char **why)
{
    *why = "a root of its own";
    /* Nothing that happens here may reach the machine's mounts. /tmp is only a place that is there everywhere. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("worker", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m,nr_inodes=4096") != 0 || chdir("/tmp") != 0 ||
        mkdir("old", 0700) != 0 || mkdir("new", 0755) != 0 || syscall(SYS_pivot_root, ".", "old") != 0 || chdir("/") != 0 ||
        mount("worker", NEW, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m,nr_inodes=4096") != 0) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!provide(reads[i], READ)) {
            *why = reads[i];
            return false;
        }
    }
    for (int i = 0; i < device_count; i++) {
        if (!provide(devices[i], DEVICE)) {
            *why = devices[i];
            return false;
        }
    }
    /* The new root on top of the one in between, which then goes with all that is below it. */
    return chdir(NEW) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           mount(NULL, "/", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}
