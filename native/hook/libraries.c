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
struct library {
    const char *name; /* NULL behind the last */
    const char *file;
};

static const struct library FORWARDED[] = {
    {"libcuda.so.1", "libcuda.so.1"},       {"libcuda.so", "libcuda.so.1"},         {"libnvidia-ml.so.1", "libnvidia-ml.so.1"},
    {"libcudart.so.12", "libcudart.so.12"}, {"libcudart.so.13", "libcudart.so.13"}, {NULL, NULL},
};

/* Runtimes are the image's own: the vendor's driver answers them. */
static const struct library DIRECT[] = {
    {"libcuda.so.1", "libcuda.so.1"},
    {"libcuda.so", "libcuda.so.1"},
    {"libnvidia-ml.so.1", "management/libnvidia-ml.so.1"},
    {"libfacet-direct.so", "libfacet-direct.so"},
    {NULL, NULL},
};

/* Where dynamic linkers look by themselves: of Debian, of Fedora, of others. */
static const char *const LINKER[] = {"usr/lib/" TRIPLET, "lib/" TRIPLET, "usr/lib64", "lib64", "usr/lib", "lib"};

/* Where images of the vendor have theirs, below /usr/local/cuda*. */
static const char *const VENDOR[] = {"lib64", "targets/" TOOLKIT "/lib", "compat"};

enum { LINKER_COUNT = sizeof LINKER / sizeof LINKER[0], MOST_TOOLKITS = 64 };

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
static bool cover_existing(struct rootfs *rootfs, int folder, const char *directory, const struct library *library)
{
    struct stat status;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, library->name);
    int target = rootfs_find(rootfs, path, &status);
    if (target < 0) {
        return true;
    }
    bool done = !S_ISREG(status.st_mode) || cover(folder, library->file, target, path);
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
const char *libraries_home(const struct rootfs *rootfs)
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

static bool mount_at_home(struct rootfs *rootfs, int folder, const struct library *all)
{
    const char *home = libraries_home(rootfs);
    char path[PATH_MAX];
    for (const struct library *each = all; each->name != NULL; each++) {
        snprintf(path, sizeof path, "%s/%s", home, each->name);
        int target = rootfs_file(rootfs, path);
        bool mounted = target >= 0 && cover(folder, each->file, target, path);
        if (target >= 0) {
            close(target);
        }
        if (!mounted) {
            return false;
        }
    }
    return true;
}

static bool cover_in(struct rootfs *rootfs, int folder, const char *directory, const struct library *all)
{
    for (const struct library *each = all; each->name != NULL; each++) {
        if (!cover_existing(rootfs, folder, directory, each)) {
            return false;
        }
    }
    return true;
}

static bool cover_toolkits(struct rootfs *rootfs, int folder, const struct library *all)
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
            done = cover_in(rootfs, folder, directory, all);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return done;
}

bool libraries_mount(struct rootfs *rootfs, int folder, bool direct)
{
    const struct library *all = direct ? DIRECT : FORWARDED;
    for (int i = 0; i < LINKER_COUNT; i++) {
        if (!cover_in(rootfs, folder, LINKER[i], all)) {
            return false;
        }
    }
    return cover_toolkits(rootfs, folder, all) && mount_at_home(rootfs, folder, all);
}
