/* How much memory is free, by CUDA and NVML, and by how much that has changed. */
#ifndef EXACT_H
#define EXACT_H

#include "check.h"

#include <dlfcn.h>

struct nvml_memory {
    unsigned long long total, free, used;
};

static struct {
    void *library, *device;
    int (*memory)(void *, struct nvml_memory *);
} nvml;

static void open_nvml(void)
{
    nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    REQUIRE(nvml.library != NULL, "%s", dlerror());
    int (*start)(void) = (int (*)(void))dlsym(nvml.library, "nvmlInit_v2");
    int (*find)(unsigned, void **) = (int (*)(unsigned, void **))dlsym(nvml.library, "nvmlDeviceGetHandleByIndex_v2");
    nvml.memory = (int (*)(void *, struct nvml_memory *))dlsym(nvml.library, "nvmlDeviceGetMemoryInfo");
    REQUIRE(start() == 0 && find(0, &nvml.device) == 0, "NVML does not start");
}

static size_t available(void)
{
    size_t bytes, total, device_total;
    struct nvml_memory seen;
    CHECK(cuMemGetInfo(&bytes, &total));
    CHECK(cuDeviceTotalMem(&device_total, 0));
    REQUIRE(nvml.memory(nvml.device, &seen) == 0, "NVML");
    REQUIRE(total == device_total && seen.total == total, "total %zu, %zu, %llu", total, device_total, seen.total);
    REQUIRE(seen.free == bytes && seen.used == total - bytes, "free %zu, NVML says %llu", bytes, seen.free);
    return bytes;
}

static size_t before;

/* Compares with what was free before, and remembers. */
static void took(const char *what, long long bytes)
{
    size_t now = available();
    REQUIRE((long long)(before - now) == bytes, "%s: %lld bytes, not %lld", what, (long long)(before - now), bytes);
    before = now;
}

#endif
