#include "vendor.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "stubs.h"
#include "unruled.h"

struct facet_vendor facet_vendor;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;
static char library_path[PATH_MAX];
static CUresult loaded = CUDA_ERROR_NO_DEVICE;
static char problem[PATH_MAX + 256]; /* told when the program asks for the device, not when it is loaded */

static CUresult lacks(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

bool facet_vendor_has(const void *pointer)
{
    return pointer != NULL && pointer != (const void *)(uintptr_t)lacks;
}

/* Where this library is itself: in its folder there may be a link that looks like the vendor's. */
static const char *own_path(void)
{
    Dl_info info;
    return dladdr((void *)(uintptr_t)facet_vendor_function, &info) != 0 ? info.dli_fname : NULL;
}

static bool find(char *path, size_t bytes)
{
    const char *folder = getenv("FACET_VENDOR_LIBRARIES");
    if (folder != NULL && *folder != 0)
        return facet_vendor_find(folder, "libcuda.so.1", own_path(), path, bytes);
    const char *written = facet_unruled_vendor();
    if (written != NULL && strlen(written) < bytes) {
        strcpy(path, written);
        return true;
    }
    return facet_vendor_find(NULL, "libcuda.so.1", own_path(), path, bytes);
}

static void load(void)
{
    if (!find(library_path, sizeof library_path)) {
        snprintf(
            problem, sizeof problem,
            "the direct engine finds no libcuda.so.1 of a vendor's driver%s; install the driver, name its folder with 'facet up --vendor-libraries', or use --engine forwarded",
            getenv("FACET_VENDOR_LIBRARIES") != NULL ? " in $FACET_VENDOR_LIBRARIES" : "");
        return;
    }
    library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(problem, sizeof problem, "the vendor's driver cannot be loaded: %s", dlerror());
        return;
    }
    if (dlsym(library, "cuInit") == NULL || dlsym(library, "cuDriverGetVersion") == NULL) {
        snprintf(problem, sizeof problem, "%s is not a CUDA driver: it has no cuInit", library_path);
        return;
    }
    void **functions = (void **)&facet_vendor;
    for (size_t i = 0; i < facet_rule_count; i++) {
        void *function = dlsym(library, facet_rules[i].symbol);
        if (function == (void *)(uintptr_t)facet_rules[i].function && function != NULL) {
            snprintf(problem, sizeof problem,
                     "%s is a library of Facet's own direct engine, not a vendor's driver; $FACET_VENDOR_LIBRARIES names the folder", library_path);
            return;
        }
        if (function != NULL)
            functions[i] = function;
    }
    facet_unruled_start(library);
    loaded = CUDA_SUCCESS;
}

/* Every pointer can be called at any time: before the library is there, and where it lacks the function. */
__attribute__((constructor)) static void fill_in(void)
{
    void **functions = (void **)&facet_vendor;
    for (size_t i = 0; i < facet_rule_count; i++)
        functions[i] = (void *)(uintptr_t)lacks;
    pthread_once(&once, load);
}

CUresult facet_vendor_load(void)
{
    pthread_once(&once, load);
    if (loaded != CUDA_SUCCESS)
        facet_say("%s", problem);
    return loaded;
}

void *facet_vendor_function(const char *name)
{
    return library == NULL ? NULL : dlsym(library, name);
}

bool facet_vendor_beside(const char *name, char *path, size_t bytes)
{
    const char *slash = strrchr(library_path, '/');
    char folder[PATH_MAX];
    if (slash == NULL)
        return false;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - library_path), library_path);
    return facet_vendor_find(folder, name, NULL, path, bytes) || facet_vendor_find(NULL, name, NULL, path, bytes);
}
