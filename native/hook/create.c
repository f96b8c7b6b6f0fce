#include "create.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "kernel.h"
#include "libraries.h"
#include "preload.h"
#include "rootfs.h"
#include "say.h"
#include "vendor.h"

#define LIBRARIES_IN_CONTAINER "usr/lib/facet"
#define PRELOAD_FILE "etc/ld.so.preload"

enum { MOST_PRELOAD = 64 << 10 };

/* Mounts that are made on our side and attached on the container's. */
struct sources {
    int libraries;
    int slice;
    int preload;      /* the mount of the file … */
    int preload_file; /* … and the file, to be written when the image's is known */
    struct vendor *vendor; /* the vendor's driver; NULL: all calls go to the daemon */
};

static bool ask_for_slice(int control, const struct container *container, const char *kept, struct facet_text *folder, struct vendor *vendor)
{
    struct facet_text line = {0}, wish = {0}, answer = {0};
    char number[32];
    snprintf(number, sizeof number, "%d", (int)container->process);
    container_wish(container, &wish);
    facet_text_add(&line, "container-create");
    facet_control_append(&line, "id", container->id.bytes);
    facet_control_append(&line, "pid", number);
    facet_control_append(&line, "rootfs", container->root.bytes);
    facet_control_append(&line, "config", wish.bytes);
    if (kept != NULL) {
        facet_control_append(&line, "slice", kept);
    }
    bool answered = facet_ask(control, &line, &answer);
    if (answered) {
        struct facet_json all = facet_json_of(answer.bytes);
        if (facet_json_is(facet_json_member(all, "wanted"), "true") && !facet_json_string(facet_json_member(all, "folder"), folder)) {
            answered = facet_fail("the daemon's answer does not name the slice's folder; is it of another version?");
        }
        vendor_read(vendor, facet_json_member(all, "direct"));
    }
    facet_text_free(&line);
    facet_text_free(&wish);
    facet_text_free(&answer);
    return answered;
}

static void give_back(int control, const char *id)
{
    struct facet_text line = {0}, answer = {0};
    facet_text_add(&line, "container-delete");
    facet_control_append(&line, "id", id);
    facet_ask(control, &line, &answer);
    facet_text_free(&line);
    facet_text_free(&answer);
}

/* Beside the folder of this program. */
static bool libraries_path(char *path, size_t bytes, bool direct)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    path[length < 0 ? 0 : length] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) {
            return facet_fail("/proc/self/exe cannot be read; is /proc mounted?");
        }
        *slash = 0;
    }
    strncat(path, direct ? "/direct" : "/lib", bytes - strlen(path) - 1);
    return true;
}

static bool open_sources(struct sources *sources, struct record *record, const char *slice, struct vendor *vendor)
{
    char path[PATH_MAX];
    *sources = (struct sources){.libraries = -1, .slice = -1, .preload = -1, .preload_file = -1, .vendor = vendor};
    if (!libraries_path(path, sizeof path, vendor != NULL)) {
        return false;
    }
    sources->libraries = facet_mount_ready(path, false);
    if (sources->libraries < 0 || (vendor != NULL && !vendor_prepare(vendor, record, path))) {
        return false;
    }
    sources->slice = facet_mount_ready(slice, true);
    if (sources->slice < 0) {
        return false;
    }
    sources->preload_file = record_file(record, "ld.so.preload");
    if (sources->preload_file < 0) {
        return facet_fail("ld.so.preload cannot be written for container %s: %s", record->id, strerror(errno));
    }
    sources->preload = facet_mount_clone(record->folder, "ld.so.preload");
    if (sources->preload < 0 || !facet_mount_restrict(sources->preload, true)) {
        return facet_fail("ld.so.preload cannot be made ready to be mounted in the container: %s", facet_kernel_reason(errno));
    }
    return true;
}

static void close_sources(struct sources *sources)
{
    const int all[] = {sources->libraries, sources->slice, sources->preload, sources->preload_file};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] >= 0) {
            close(all[i]);
        }
    }
}

/* A container without mounts of its own has the machine's: nothing may be mounted there. */
static bool has_own_mounts(pid_t process)
{
    struct stat own, other;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)process);
    if (stat("/proc/self/ns/mnt", &own) != 0 || stat(path, &other) != 0) {
        return facet_fail("the container's process %d cannot be looked at: %s", (int)process, facet_kernel_reason(errno));
    }
    return own.st_ino != other.st_ino || facet_fail("the container has no mount namespace of its own; Facet needs one");
}

/* Where it is mounted already it stays: an engine may have been told of the hook in two ways. */
static bool attach(int mount, int target, const char *path)
{
    struct stat ours, there;
    bool attached = target >= 0 && fstat(mount, &ours) == 0 && fstat(target, &there) == 0 &&
                    ((ours.st_dev == there.st_dev && ours.st_ino == there.st_ino) || facet_mount_attach(mount, target));
    if (target >= 0 && !attached) {
        facet_fail("nothing can be mounted at /%s of the container: %s", path, facet_kernel_reason(errno));
    }
    if (target >= 0) {
        close(target);
    }
    return attached;
}

static bool read_preload(struct rootfs *rootfs, struct facet_text *image)
{
    struct stat status;
    int found = rootfs_find(rootfs, PRELOAD_FILE, &status);
    if (found < 0) {
        return true;
    }
    close(found);
    int readable = S_ISREG(status.st_mode) ? facet_open_in_root(rootfs->root, PRELOAD_FILE, O_RDONLY | O_NONBLOCK, 0) : -1;
    bool fine = !S_ISREG(status.st_mode) || (readable >= 0 && facet_text_read(image, readable, MOST_PRELOAD));
    if (!fine) {
        facet_fail("/" PRELOAD_FILE " of the container cannot be read: %s", strerror(errno));
    }
    if (readable >= 0) {
        close(readable);
    }
    return fine;
}

/* What programs load before all others: from the folder of all libraries, or from where the engine's libcuda.so.1 is found, beside which it must lie. */
static void preload_path(const struct rootfs *rootfs, bool direct, char *path, size_t bytes)
{
    if (direct) {
        snprintf(path, bytes, "/%s/libfacet-direct.so", libraries_home(rootfs));
    } else {
        snprintf(path, bytes, "/" LIBRARIES_IN_CONTAINER "/libfacet-preload.so");
    }
}

static bool mount_preload(struct rootfs *rootfs, const struct sources *sources)
{
    struct facet_text image = {0}, merged = {0};
    char library[PATH_MAX];
    preload_path(rootfs, sources->vendor != NULL, library, sizeof library);
    bool fine = read_preload(rootfs, &image);
    if (fine && preload_merge(image.bytes == NULL ? "" : image.bytes, library, &merged)) {
        fine = !merged.failed && write(sources->preload_file, merged.bytes, merged.length) == (ssize_t)merged.length;
        fine = fine ? attach(sources->preload, rootfs_file(rootfs, PRELOAD_FILE), PRELOAD_FILE)
                    : facet_fail("ld.so.preload cannot be written: %s", strerror(errno));
    }
    facet_text_free(&image);
    facet_text_free(&merged);
    return fine;
}

static bool mount_all(struct rootfs *rootfs, const struct sources *sources)
{
    return attach(sources->slice, rootfs_folder(rootfs, "run/facet"), "run/facet") &&
           attach(sources->libraries, rootfs_folder(rootfs, LIBRARIES_IN_CONTAINER), LIBRARIES_IN_CONTAINER) &&
           libraries_mount(rootfs, sources->libraries, sources->vendor != NULL) &&
           (sources->vendor == NULL || vendor_mount(sources->vendor, rootfs)) && mount_preload(rootfs, sources);
}

static bool mount_among(struct record *record, const struct container *container, const struct sources *sources)
{
    int way_back = facet_enter_mounts(container->process);
    if (way_back < 0) {
        return facet_fail("the container's mounts cannot be entered: %s", facet_kernel_reason(errno));
    }
    struct rootfs rootfs = {.root = -1};
    bool mounted = record_lock(record) && rootfs_open(&rootfs, container->root.bytes, record) && mount_all(&rootfs, sources);
    if (rootfs.root >= 0) {
        close(rootfs.root);
    }
    /* What was made under a mount can be removed only where the mount is not. */
    bool back = facet_return_mounts(way_back) || facet_fail("the container's mounts cannot be left: %s", strerror(errno));
    close(way_back);
    return mounted && back;
}

static bool mount_slice(struct record *record, const struct container *container, const char *slice, struct vendor *vendor)
{
    struct sources sources;
    bool mounted = open_sources(&sources, record, slice, vendor->wanted ? vendor : NULL) && has_own_mounts(container->process) &&
                   mount_among(record, container, &sources);
    close_sources(&sources);
    return mounted;
}

bool hook_create(const char *directory, const struct container *container, const char *kept)
{
    if (container->process == 0) {
        return facet_fail("the state of container %s has no 'pid'; 'create' is for the hook createRuntime", container->id.bytes);
    }
    int control = facet_ask_connect(directory);
    if (control < 0) {
        return false;
    }
    struct facet_text slice = {0};
    struct vendor vendor = {0};
    struct record record;
    /* The record comes first: without it 'delete' would not know the container. */
    bool made = record_create(&record, directory, container->id.bytes);
    bool asked = made && ask_for_slice(control, container, kept, &slice, &vendor);
    bool wanted = asked && slice.length > 0;
    bool mounted = wanted && mount_slice(&record, container, slice.bytes, &vendor);
    if (wanted && !mounted) {
        give_back(control, container->id.bytes);
    }
    if (made && !mounted && record_lock(&record)) {
        record_clear(&record);
        record_remove(&record);
    }
    record_close(&record);
    facet_text_free(&slice);
    vendor_free(&vendor);
    close(control);
    return asked && (mounted || !wanted);
}

void hook_delete(const char *directory, const char *id)
{
    struct record record;
    if (record_open(&record, directory, id)) {
        int control = facet_ask_connect(directory);
        if (control >= 0) {
            give_back(control, id);
            close(control);
        }
        if (record_lock(&record)) {
            record_clear(&record);
            record_remove(&record);
        }
    }
    record_close(&record);
}
