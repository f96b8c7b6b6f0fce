/* Prints what a program sees of its device, and what it gets: the total that the runtime tells and the one that NVML
 * tells, then the errors of an allocation that is a mebibyte too large and of one of half. It finds all libraries by
 * their names alone. Not a test by itself. */
/* role: helper */
/* libraries: none */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *library(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW);
    if (handle == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return handle;
}

static void *function(void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    if (address == NULL) {
        printf("there is no %s\n", name);
        exit(1);
    }
    return address;
}

static void done(const char *call, int code)
{
    if (code != 0) {
        printf("%s: %d\n", call, code);
        exit(1);
    }
}

int main(void)
{
    void *runtime = library("libcudart.so.12"), *management = library("libnvidia-ml.so.1");
    int (*information)(size_t *, size_t *) = (int (*)(size_t *, size_t *))function(runtime, "cudaMemGetInfo");
    int (*allocate)(void **, size_t) = (int (*)(void **, size_t))function(runtime, "cudaMalloc");
    int (*begin)(void) = (int (*)(void))function(management, "nvmlInit_v2");
    int (*device_of)(unsigned, void **) = (int (*)(unsigned, void **))function(management, "nvmlDeviceGetHandleByIndex_v2");
    int (*memory_of)(void *, unsigned long long *) = (int (*)(void *, unsigned long long *))function(management, "nvmlDeviceGetMemoryInfo");
    size_t available = 0, total = 0;
    unsigned long long figures[3] = {0};
    void *device = NULL, *memory = NULL;
    done("cudaMemGetInfo", information(&available, &total));
    done("nvmlInit", begin());
    done("nvmlDeviceGetHandleByIndex", device_of(0, &device));
    done("nvmlDeviceGetMemoryInfo", memory_of(device, figures));
    int beyond = allocate(&memory, total + (1 << 20));
    printf("%zu %llu %d %d\n", total, figures[0], beyond, allocate(&memory, total / 2));
    return 0;
}
