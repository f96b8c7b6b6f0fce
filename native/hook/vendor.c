#include "vendor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"
#include "libraries.h"
#include "say.h"
#include "stubs.h"

/* Where programs do not look by themselves: before these two stand the engine's. */
#define BEHIND "usr/lib/facet-vendor"

enum { MOST_FILES = 512 };

static const char DRIVER[] = "libcuda.so.1", MANAGEMENT[] = "libnvidia-ml.so.1";

/* Tools and sockets that the toolkit brings along, where the machine has them. Not the multi-process service: its server would work for programs of
 * other slices. */
static const char *const EXTRAS[] = {
    "usr/bin/nvidia-smi",
    "usr/bin/nvidia-debugdump",
    "run/nvidia-persistenced/socket",
    "run/nvidia-fabricmanager/socket",
};

void vendor_read(struct vendor *vendor, struct facet_json answer)
{
    vendor->wanted = answer.start != NULL && facet_json_string(facet_json_member(answer, "root"), &vendor->root) &&
                     facet_json_string(facet_json_member(answer, "libraries"), &vendor->libraries) &&
                     facet_json_string(facet_json_member(answer, "devices"), &vendor->devices);
}

/* From a path of the machine to one in the container. */
static bool take(struct vendor *vendor, const char *from, bool at_home, const char *path)
{
    struct vendor_file *more = vendor->count < MOST_FILES ? realloc(vendor->files, (vendor->count + 1) * sizeof *more) : NULL;
    char *copy = strdup(path);
    if (more == NULL || copy == NULL) {
        vendor->files = more == NULL ? vendor->files : more;
        free(copy);
        return facet_fail("the vendor's driver has too many files");
    }
    vendor->files = more;
    int mount = facet_mount_ready(from, false);
    if (mount < 0) {
        free(copy);
        return false;
    }
    vendor->files[vendor->count++] = (struct vendor_file){.mount = mount, .at_home = at_home, .path = copy};
    return true;
}

/* 550.163.01 of /usr/lib/libcuda.so.550.163.01; empty when its name has no version. */
static const char *version_of(const char *path)
{
    static const char before[] = "/libcuda.so.";
    const char *last = strrchr(path, '/');
    const char *version = last != NULL && strncmp(last, before, sizeof before - 1) == 0 ? last + sizeof before - 1 : "";
    return strchr(version, '.') == NULL ? "" : version;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* A library of this version, by this name or by the name of a link to it. */
static bool take_library(struct vendor *vendor, const char *folder, const char *name, const char *version)
{
    char path[PATH_MAX], end[NAME_MAX + 8];
    snprintf(end, sizeof end, ".so.%s", version);
    if (!starts_with(name, "lib") || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return true;
    }
    char *whole = realpath(path, NULL);
    const char *last = whole == NULL ? NULL : strrchr(whole, '/') + 1;
    /* One with a name of its own is the compiler of older drivers. The two behind the engine's are theirs alone. */
    bool wanted = last != NULL && (ends_with(last, end) || starts_with(last, "libnvidia-nvvm70.so.")) && !starts_with(last, "libcuda.so.") &&
                  !starts_with(last, "libnvidia-ml.so.");
    bool taken = !wanted || take(vendor, whole, true, name);
    free(whole);
    return taken;
}

/* All of one version, as the linker finds them: by their names and by their links. */
static bool take_libraries(struct vendor *vendor, const char *folder, const char *version)
{
    DIR *entries = *version == 0 ? NULL : opendir(folder);
    bool taken = true;
    for (struct dirent *each; taken && entries != NULL && (each = readdir(entries)) != NULL;) {
        taken = take_library(vendor, folder, each->d_name, version);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return taken;
}

static bool take_extra(struct vendor *vendor, const char *path)
{
    char from[PATH_MAX];
    struct stat status;
    int length = snprintf(from, sizeof from, "%s/%s", strcmp(vendor->root.bytes, "/") == 0 ? "" : vendor->root.bytes, path);
    bool there = length < (int)sizeof from && stat(from, &status) == 0 && !S_ISDIR(status.st_mode);
    return !there || take(vendor, from, false, path);
}

/* Of the processor that runs the driver's part on the device. */
static bool take_firmware(struct vendor *vendor, const char *version)
{
    char inside[PATH_MAX], folder[PATH_MAX + 16], path[2 * PATH_MAX];
    snprintf(inside, sizeof inside, "lib/firmware/nvidia/%s", version);
    snprintf(folder, sizeof folder, "%s/%s", strcmp(vendor->root.bytes, "/") == 0 ? "" : vendor->root.bytes, inside);
    DIR *entries = *version == 0 ? NULL : opendir(folder);
    bool taken = true;
    for (struct dirent *each; taken && entries != NULL && (each = readdir(entries)) != NULL;) {
        if (fnmatch("gsp*.bin", each->d_name, 0) == 0) {
            snprintf(path, sizeof path, "%s/%s", inside, each->d_name);
            taken = take_extra(vendor, path);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return taken;
}

/* Behind the engine's library: by the name that the written one has for it. The written one is found where the engine's is. */
static bool take_behind(struct vendor *vendor, struct record *record, const struct facet_stubs_kind *kind, const char *file, const char *name)
{
    char inside[PATH_MAX], named[PATH_MAX + 1], written[PATH_MAX], why[PATH_MAX + 256];
    snprintf(inside, sizeof inside, BEHIND "/%s", name);
    snprintf(named, sizeof named, "/%s", inside);
    snprintf(written, sizeof written, "/proc/self/fd/%d/%s", record->folder, kind->library);
    if (!facet_stubs_write(kind, file, named, facet_known_calls, facet_known_call_count, written, why, sizeof why)) {
        return facet_fail("the direct engine cannot be made ready: %s", why);
    }
    return take(vendor, written, true, kind->library) && take(vendor, file, false, inside);
}

bool vendor_prepare(struct vendor *vendor, struct record *record, const char *own)
{
    char except[PATH_MAX], driver[PATH_MAX], management[PATH_MAX], folder[PATH_MAX];
    const char *given = vendor->libraries.length > 0 ? vendor->libraries.bytes : NULL;
    snprintf(except, sizeof except, "%s/%s", own, DRIVER);
    if (!facet_vendor_find(given, DRIVER, except, driver, sizeof driver)) {
        return facet_fail(
            "the direct engine finds no libcuda.so.1 of a vendor's driver%s%s; install the driver, or name its folder with 'facet up "
            "--vendor-libraries'",
            given == NULL ? "" : " in ", given == NULL ? "" : given);
    }
    snprintf(folder, sizeof folder, "%s", driver);
    *strrchr(folder, '/') = 0;
    const char *version = version_of(driver);
    bool watched = facet_vendor_find(folder, MANAGEMENT, NULL, management, sizeof management) ||
                   (given == NULL && facet_vendor_find(NULL, MANAGEMENT, NULL, management, sizeof management));
    bool ready = take_behind(vendor, record, &facet_stubs_driver, driver, DRIVER) &&
                 (!watched || take_behind(vendor, record, &facet_stubs_management, management, MANAGEMENT)) &&
                 take_libraries(vendor, folder, version) && take_firmware(vendor, version);
    for (size_t i = 0; ready && i < sizeof EXTRAS / sizeof EXTRAS[0]; i++) {
        ready = take_extra(vendor, EXTRAS[i]);
    }
    return ready;
}

/* Without them the runtime was not told that the container has a device. */
static bool has_devices(const struct vendor *vendor, const struct rootfs *rootfs)
{
    const char *at = vendor->devices.bytes;
    while (*at != 0) {
        char path[PATH_MAX];
        struct stat status;
        size_t length = strcspn(at, "\n");
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        int found = rootfs_find(rootfs, path[0] == '/' ? path + 1 : path, &status);
        if (found >= 0) {
            close(found);
        }
        if (found < 0 || !S_ISCHR(status.st_mode)) {
            return facet_fail(
                "the container has no device file %s, which the direct engine needs; start it by facet-runtime, or with the CDI device "
                "facet.dev/direct=N (facet cdi --direct), which put it there",
                path);
        }
        at += length + (at[length] == '\n');
    }
    return true;
}

static bool mount_one(const struct vendor_file *file, struct rootfs *rootfs, const char *home)
{
    char path[PATH_MAX];
    struct stat ours, there;
    snprintf(path, sizeof path, "%s%s%s", file->at_home ? home : "", file->at_home ? "/" : "", file->path);
    int target = rootfs_file(rootfs, path);
    if (target < 0) {
        return false;
    }
    /* An image may have links of the same names to one file. */
    bool mounted = fstat(file->mount, &ours) == 0 && fstat(target, &there) == 0 &&
                   ((ours.st_dev == there.st_dev && ours.st_ino == there.st_ino) || facet_mount_attach(file->mount, target));
    close(target);
    return mounted || facet_fail("nothing can be mounted at /%s of the container: %s", path, facet_kernel_reason(errno));
}

bool vendor_mount(struct vendor *vendor, struct rootfs *rootfs)
{
    const char *home = libraries_home(rootfs);
    bool mounted = has_devices(vendor, rootfs);
    for (size_t i = 0; mounted && i < vendor->count; i++) {
        mounted = mount_one(&vendor->files[i], rootfs, home);
    }
    return mounted;
}

void vendor_free(struct vendor *vendor)
{
    for (size_t i = 0; i < vendor->count; i++) {
        close(vendor->files[i].mount);
        free(vendor->files[i].path);
    }
    free(vendor->files);
    facet_text_free(&vendor->root);
    facet_text_free(&vendor->libraries);
    facet_text_free(&vendor->devices);
}
