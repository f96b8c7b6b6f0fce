#include "libraries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "say.h"

#if defined(__aarch64__)
#define TRIPLET "aarch64-linux-gnu"
#define TOOLKIT "sbsa-linux"
#else
#define TRIPLET "x86_64-linux-gnu"
#define TOOLKIT "x86_64-linux"
#endif

/* The names by which programs ask for them, and where they are in our folder. */
static const struct {
    const char *name;
    const char *file;
} LIBRARIES[] = {
    {"libcuda.so.1", "libcuda.so.1"},       {"libcuda.so", "libcuda.so.1"},         {"libnvidia-ml.so.1", "libnvidia-ml.so.1"},
    {"libcudart.so.12", "libcudart.so.12"}, {"libcudart.so.13", "libcudart.so.13"},
};

/* Where dynamic linkers look by themselves: of Debian, of Fedora, of others. */
static const char *const LINKER[] = {"usr/lib/" TRIPLET, "lib/" TRIPLET, "usr/lib64", "lib64", "usr/lib", "lib"};

/* Where images of the vendor have theirs, below /usr/local/cuda*. */
static const char *const VENDOR[] = {"lib64", "targets/" TOOLKIT "/lib", "compat"};

enum { LIBRARY_COUNT = sizeof LIBRARIES / sizeof LIBRARIES[0], LINKER_COUNT = sizeof LINKER / sizeof LINKER[0], MOST_TOOLKITS = 64 };

static bool attach(int folder, const char *file, int target, const char *path)
{
    int mount = facet_mount_clone(folder, file);
    bool attached = mount >= 0 && facet_mount_attach(mount, target);
    int reason = errno;
    if (mount >= 0) {
        close(mount);
    }
    return attached || facet_fail("%s cannot be mounted at /%s of the container: %s", file, path, facet_kernel_reason(reason));
}

/* Puts a library over a file of the image. Under several names it may be the same one: then it is ours already. */
static bool cover(int folder, const char *file, int target, const char *path)
{
    struct stat status, ours;
    if (fstatat(folder, file, &ours, 0) != 0) {
        return facet_fail("%s is missing among Facet's libraries; install Facet again", file);
    }
    bool same = fstat(target, &status) == 0 && status.st_dev == ours.st_dev && status.st_ino == ours.st_ino;
    return same || attach(folder, file, target, path);
}

/* Where the image has one of this name. */
static bool cover_existing(struct rootfs *rootfs, int folder, const char *directory, int which)
{
    struct stat status;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, LIBRARIES[which].name);
    int target = rootfs_find(rootfs, path, &status);
    if (target < 0) {
        return true;
    }
    bool done = !S_ISREG(status.st_mode) || cover(folder, LIBRARIES[which].file, target, path);
    close(target);
    return done;
}

static bool has(const struct rootfs *rootfs, const char *path)
{
    struct stat status;
    int found = rootfs_find(rootfs, path, &status);
    if (found >= 0) {
        close(found);
    }
    return found >= 0;
}

/* The folder that the container's own linker is sure to look into: the C library is there. */
static const char *home_of(const struct rootfs *rootfs)
{
    char path[PATH_MAX];
    for (int i = 0; i < LINKER_COUNT; i++) {
        snprintf(path, sizeof path, "%s/libc.so.6", LINKER[i]);
        if (has(rootfs, path)) {
            return LINKER[i];
        }
    }
    for (int i = 0; i < LINKER_COUNT; i++) {
        if (has(rootfs, LINKER[i])) {
            return LINKER[i];
        }
    }
    return "usr/lib";
}

static bool mount_at_home(struct rootfs *rootfs, int folder)
{
    const char *home = home_of(rootfs);
    char path[PATH_MAX];
    for (int which = 0; which < LIBRARY_COUNT; which++) {
        snprintf(path, sizeof path, "%s/%s", home, LIBRARIES[which].name);
        int target = rootfs_file(rootfs, path);
        bool mounted = target >= 0 && cover(folder, LIBRARIES[which].file, target, path);
        if (target >= 0) {
            close(target);
        }
        if (!mounted) {
            return false;
        }
    }
    return true;
}

static bool cover_in(struct rootfs *rootfs, int folder, const char *directory)
{
    for (int which = 0; which < LIBRARY_COUNT; which++) {
        if (!cover_existing(rootfs, folder, directory, which)) {
            return false;
        }
    }
    return true;
}

static bool cover_toolkits(struct rootfs *rootfs, int folder)
{
    int local = facet_open_in_root(rootfs->root, "usr/local", O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
    DIR *entries = local < 0 ? NULL : fdopendir(local);
    bool done = true;
    int found = 0;
    for (struct dirent *each; done && entries != NULL && found < MOST_TOOLKITS && (each = readdir(entries)) != NULL;) {
        if (strncmp(each->d_name, "cuda", strlen("cuda")) != 0) {
            continue;
        }
        found++;
        for (size_t i = 0; done && i < sizeof VENDOR / sizeof VENDOR[0]; i++) {
            char directory[PATH_MAX];
            snprintf(directory, sizeof directory, "usr/local/%s/%s", each->d_name, VENDOR[i]);
            done = cover_in(rootfs, folder, directory);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return done;
}

bool libraries_mount(struct rootfs *rootfs, int folder)
{
    for (int i = 0; i < LINKER_COUNT; i++) {
        if (!cover_in(rootfs, folder, LINKER[i])) {
            return false;
        }
    }
    return cover_toolkits(rootfs, folder) && mount_at_home(rootfs, folder);
}
