/* libfacet-direct.so: for programs that load libcuda by its path, or look for it in folders of their own.
 *
 * By LD_PRELOAD it stands before the C library's dlopen. Whoever asks for a file named libcuda.so, wherever it lies, gets the one that the
 * program has by that name: the direct engine's, which is found first. Everything else goes on by a jump, so that the C library sees who
 * called: it looks for libraries in the caller's own folders. */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef void *open_function(const char *name, int flags);

static open_function *next;

__attribute__((constructor)) static void find_next(void)
{
    next = (open_function *)(uintptr_t)dlsym(RTLD_NEXT, "dlopen");
}

/* A path to libcuda.so, libcuda.so.1, libcuda.so.550.163.01; not to libcudart.so. */
static bool is_driver(const char *name)
{
    static const char driver[] = "/libcuda.so";
    const char *last = strrchr(name, '/');
    if (last == NULL || strncmp(last, driver, sizeof driver - 1) != 0)
        return false;
    return last[sizeof driver - 1] == 0 || last[sizeof driver - 1] == '.';
}

static bool folder_of(const char *path, struct stat *folder)
{
    char name[PATH_MAX];
    const char *last = strrchr(path, '/');
    int length = snprintf(name, sizeof name, "%.*s", last == NULL ? 1 : (int)(last - path), last == NULL ? "." : path);
    return length < (int)sizeof name && stat(name, folder) == 0;
}

/* The engine, which lies beside this library, means the vendor's file when it names it. One folder may have two paths: /lib and /usr/lib. */
static bool is_engine(const void *caller)
{
    Dl_info own, its;
    struct stat here, there;
    return dladdr(&next, &own) != 0 && dladdr(caller, &its) != 0 && folder_of(own.dli_fname, &here) && folder_of(its.dli_fname, &there) &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino && is_driver(its.dli_fname);
}

/* Exported as dlopen (native/build): old_libc.h gives that name a version, which only the C library's own has. */
__attribute__((visibility("default"))) void *facet_dlopen(const char *name, int flags);

__attribute__((visibility("default"))) void *facet_dlopen(const char *name, int flags)
{
    if (next == NULL)
        find_next();
    if (name != NULL && is_driver(name) && !is_engine(__builtin_return_address(0)))
        name = "libcuda.so.1";
    return next(name, flags);
}
