/* Where the vendor's libraries are. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stubs.h"

/* Where distributions and the vendor's own installer put them. */
static const char *const FOLDERS[] = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu/nvidia/current", "/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib",
    "/run/opengl-driver/lib",
};

/* Whether both are the same file. */
static bool is_ours(const char *path, const char *except)
{
    struct stat one, other;
    return except != NULL && stat(path, &one) == 0 && stat(except, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool in_folder(const char *folder, const char *name, const char *except, char *path, size_t bytes)
{
    char found[PATH_MAX];
    struct stat status;
    int length = snprintf(found, sizeof found, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof found || stat(found, &status) != 0 || !S_ISREG(status.st_mode) || is_ours(found, except))
        return false;
    char *whole = realpath(found, NULL);
    bool fits = whole != NULL && strlen(whole) < bytes;
    if (fits)
        strcpy(path, whole);
    free(whole);
    return fits;
}

bool facet_vendor_find(const char *folder, const char *name, const char *except, char *path, size_t bytes)
{
    if (folder != NULL && *folder != 0)
        return in_folder(folder, name, except, path, bytes);
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        if (in_folder(FOLDERS[i], name, except, path, bytes))
            return true;
    return false;
}
