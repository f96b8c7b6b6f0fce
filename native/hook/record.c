#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "say.h"
#include "text.h"

static bool open_all(struct record *record, const char *directory, bool make)
{
    struct facet_text path = {0};
    facet_text_add(&path, directory);
    facet_text_add(&path, "/hook");
    if (make && mkdir(path.bytes, 0700) != 0 && errno != EEXIST) {
        facet_fail("the folder %s cannot be made: %s", path.bytes, strerror(errno));
    }
    record->all = open(path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (record->all < 0 && make) {
        facet_fail("the folder %s cannot be opened: %s", path.bytes, strerror(errno));
    }
    facet_text_free(&path);
    return record->all >= 0;
}

bool record_open(struct record *record, const char *directory, const char *id)
{
    *record = (struct record){.all = -1, .folder = -1, .list = -1};
    snprintf(record->id, sizeof record->id, "%s", id);
    if (open_all(record, directory, false)) {
        record->folder = openat(record->all, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    return record->folder >= 0;
}

bool record_create(struct record *record, const char *directory, const char *id)
{
    *record = (struct record){.all = -1, .folder = -1, .list = -1};
    snprintf(record->id, sizeof record->id, "%s", id);
    if (!open_all(record, directory, true)) {
        return false;
    }
    /* One that is there was left by a container of this name that nobody has deleted: what it lists stays listed. */
    if (mkdirat(record->all, id, 0700) == 0 || errno == EEXIST) {
        record->folder = openat(record->all, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (record->folder >= 0) {
        record->list = openat(record->folder, "placeholders", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    return record->list >= 0 || facet_fail("the folder %s/hook/%s cannot be made: %s", directory, id, strerror(errno));
}

bool record_lock(struct record *record)
{
    while (flock(record->all, LOCK_EX) != 0) {
        if (errno != EINTR) {
            return facet_fail("the folder of containers cannot be locked: %s", strerror(errno));
        }
    }
    return true;
}

int record_file(const struct record *record, const char *name)
{
    unlinkat(record->folder, name, 0);
    int file = openat(record->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0) {
        fchmod(file, 0644); /* whatever the mask is: everybody in the container reads it */
    }
    return file;
}

static bool add(struct record *record, const char *kind, const struct stat *status, const char *path)
{
    char numbers[64];
    struct facet_text line = {0};
    snprintf(numbers, sizeof numbers, "%s %llu %llu ", kind, (unsigned long long)status->st_dev, (unsigned long long)status->st_ino);
    facet_text_add(&line, numbers);
    facet_text_add(&line, path);
    facet_text_add(&line, "\n");
    bool added = !line.failed && write(record->list, line.bytes, line.length) == (ssize_t)line.length;
    facet_text_free(&line);
    return added || facet_fail("the list of what was made for container %s cannot be written: %s", record->id, strerror(errno));
}

bool record_root(struct record *record, const struct stat *root, const char *path)
{
    return add(record, "root", root, path);
}

bool record_placeholder(struct record *record, const struct stat *made, const char *path)
{
    return add(record, S_ISDIR(made->st_mode) ? "folder" : "file", made, path);
}

void record_remove(struct record *record)
{
    static const char *const FILES[] = {"placeholders", "ld.so.preload", "libfacet-unruled.so.1", "libfacet-management.so.1"};
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        unlinkat(record->folder, FILES[i], 0);
    }
    if (unlinkat(record->all, record->id, AT_REMOVEDIR) != 0 && errno != ENOENT) {
        facet_fail("the folder of container %s cannot be removed: %s", record->id, strerror(errno));
    }
}

void record_close(struct record *record)
{
    int *descriptors[] = {&record->list, &record->folder, &record->all};
    for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; i++) {
        if (*descriptors[i] >= 0) {
            close(*descriptors[i]);
            *descriptors[i] = -1;
        }
    }
}
