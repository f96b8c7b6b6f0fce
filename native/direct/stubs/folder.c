/* Where the library for calls without a rule is kept: once for each file of a vendor's driver, as it is. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stubs.h"

/* What tells two files, or one before and after an update, apart. */
static uint64_t mark_of(const char *vendor, const struct stat *status)
{
    char text[PATH_MAX + 128];
    snprintf(text, sizeof text, "%s %lld %lld.%09ld %llu %zu", vendor, (long long)status->st_size, (long long)status->st_mtim.tv_sec,
             status->st_mtim.tv_nsec, (unsigned long long)status->st_ino, facet_known_call_count);
    uint64_t value = 14695981039346656037u; /* FNV-1a */
    for (const char *each = text; *each; each++)
        value = (value ^ (unsigned char)*each) * 1099511628211u;
    return value;
}

/* A folder that nobody else can have put anything into. */
static bool own_folder(const char *path)
{
    struct stat status;
    return (mkdir(path, 0700) == 0 || errno == EEXIST) && lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The first parts of the path are there, or are made. */
static bool own_folders(char *path, size_t bytes, const char *start, const char *const *parts)
{
    if (snprintf(path, bytes, "%s", start) >= (int)bytes)
        return false;
    bool own = true;
    for (; own && *parts != NULL; parts++) {
        size_t length = strlen(path);
        own = snprintf(path + length, bytes - length, "/%s", *parts) < (int)(bytes - length) && own_folder(path);
    }
    return own;
}

/* Written unless it is there. */
static bool there(const struct facet_stubs_kind *kind, const char *vendor, const char *folder, char *why, size_t bytes)
{
    char library[PATH_MAX];
    if (snprintf(library, sizeof library, "%s/%s", folder, kind->library) >= (int)sizeof library) {
        snprintf(why, bytes, "the path of %s is too long", folder);
        return false;
    }
    return access(library, R_OK) == 0 || facet_stubs_write(kind, vendor, vendor, facet_known_calls, facet_known_call_count, library, why, bytes);
}

bool facet_stubs_folder(const char *runtime, const char *vendor, const char *management, char *folder, size_t bytes, char *why, size_t why_bytes)
{
    struct stat status;
    if (stat(vendor, &status) != 0) {
        snprintf(why, why_bytes, "%s: %s", vendor, strerror(errno));
        return false;
    }
    char name[32];
    snprintf(name, sizeof name, "%016llx", (unsigned long long)mark_of(vendor, &status));
    const char *home = getenv("HOME");
    const char *const below_runtime[] = {"direct", name, NULL}, *const below_home[] = {".cache", "facet", "direct", name, NULL};
    if (!own_folders(folder, bytes, runtime, below_runtime) && (home == NULL || !own_folders(folder, bytes, home, below_home))) {
        snprintf(why, why_bytes, "there is no folder that is this user's own, neither below %s nor in ~/.cache", runtime);
        return false;
    }
    return there(&facet_stubs_driver, vendor, folder, why, why_bytes) &&
           (management == NULL || there(&facet_stubs_management, management, folder, why, why_bytes));
}
