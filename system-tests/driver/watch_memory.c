/* Says what it sees of its slice, a line for each line of its input: free and total, by the driver and by NVML, on every device.
 * Not a test by itself. */
/* role: helper */
#include "check.h"

#include <dlfcn.h>

struct nvml_memory {
    unsigned long long total, free, used;
};

int main(void)
{
    CUcontext contexts[8];
    int devices;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    for (int i = 0; i < devices && i < 8; i++)
        CHECK(cuDevicePrimaryCtxRetain(&contexts[i], i));
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    REQUIRE(library != NULL, "%s", dlerror());
    int (*start)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
    int (*find)(unsigned, void **) = (int (*)(unsigned, void **))dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
    int (*ask)(void *, struct nvml_memory *) = (int (*)(void *, struct nvml_memory *))dlsym(library, "nvmlDeviceGetMemoryInfo");
    REQUIRE(start() == 0, "NVML does not start");
    do {
        for (int i = 0; i < devices && i < 8; i++) {
            size_t available, total, whole;
            void *device;
            struct nvml_memory seen;
            CHECK(cuCtxSetCurrent(contexts[i]));
            CHECK(cuMemGetInfo(&available, &total));
            CHECK(cuDeviceTotalMem(&whole, i));
            REQUIRE(find((unsigned)i, &device) == 0 && ask(device, &seen) == 0, "NVML");
            REQUIRE(whole == total && seen.total == total && seen.free == available, "device %d: %zu of %zu, %zu, NVML %llu of %llu", i, available,
                    total, whole, seen.free, seen.total);
            printf("%s%zu %zu", i == 0 ? "" : " ", available, total);
        }
        printf("\n");
        fflush(stdout);
        int next;
        while ((next = getchar()) != EOF && next != '\n')
            continue;
        if (next == EOF)
            return 0;
    } while (true);
}
