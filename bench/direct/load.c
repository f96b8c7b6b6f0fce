/* A program of a direct slice, by the driver API; the driver is looked up, so that it is the vendor's or the one before it.
 *
 *   load cost N                          nanoseconds a call: launches in a row, launches that are waited for, allocations
 *   load work NANOSECONDS SECONDS        launches kernels that take so long, always ahead of the device. For each, or for about a millisecond
 *                                        of them, a line: when they ended by the device's events, in milliseconds since boot, and nanoseconds
 *                                        of kernels that have ended until then
 *   load ranges NANOSECONDS SECONDS      the same with a kernel that has blocks and can come in ranges
 *   load requests NANOSECONDS SECONDS PAUSE   waits so many microseconds, launches one, waits for it; prints how many microseconds each took
 *
 * Kernels are those of clock_driver.c. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "facet_cuda.h"

enum { AHEAD = 8 };

#define CALL(name) __typeof__(&name) name##_
static struct {
    CALL(cuInit);
    CALL(cuDeviceGet);
    CALL(cuDevicePrimaryCtxRetain);
    CALL(cuCtxSetCurrent);
    CALL(cuCtxSynchronize);
    CALL(cuModuleLoadData);
    CALL(cuModuleGetFunction);
    CALL(cuLaunchKernel);
    CALL(cuEventCreate);
    CALL(cuEventRecord);
    CALL(cuEventSynchronize);
    CALL(cuEventElapsedTime);
    CALL(cuMemAlloc_v2);
    CALL(cuMemFree_v2);
} driver;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void must(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "load: %s: error %d\n", what, (int)result);
    exit(1);
}

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "load: no %s\n", name);
        exit(1);
    }
    return found;
}

static void begin(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "load: %s\n", dlerror());
        exit(1);
    }
    *(void **)&driver.cuInit_ = find(library, "cuInit");
    *(void **)&driver.cuDeviceGet_ = find(library, "cuDeviceGet");
    *(void **)&driver.cuDevicePrimaryCtxRetain_ = find(library, "cuDevicePrimaryCtxRetain");
    *(void **)&driver.cuCtxSetCurrent_ = find(library, "cuCtxSetCurrent");
    *(void **)&driver.cuCtxSynchronize_ = find(library, "cuCtxSynchronize");
    *(void **)&driver.cuModuleLoadData_ = find(library, "cuModuleLoadData");
    *(void **)&driver.cuModuleGetFunction_ = find(library, "cuModuleGetFunction");
    *(void **)&driver.cuLaunchKernel_ = find(library, "cuLaunchKernel");
    *(void **)&driver.cuEventCreate_ = find(library, "cuEventCreate");
    *(void **)&driver.cuEventRecord_ = find(library, "cuEventRecord");
    *(void **)&driver.cuEventSynchronize_ = find(library, "cuEventSynchronize");
    *(void **)&driver.cuEventElapsedTime_ = find(library, "cuEventElapsedTime");
    *(void **)&driver.cuMemAlloc_v2_ = find(library, "cuMemAlloc_v2");
    *(void **)&driver.cuMemFree_v2_ = find(library, "cuMemFree_v2");
    CUdevice device;
    CUcontext context;
    must(driver.cuInit_(0), "cuInit");
    must(driver.cuDeviceGet_(&device, 0), "cuDeviceGet");
    must(driver.cuDevicePrimaryCtxRetain_(&context, device), "cuDevicePrimaryCtxRetain");
    must(driver.cuCtxSetCurrent_(context), "cuCtxSetCurrent");
}

static CUfunction function;

/* The driver takes as long for a block of it as for any other. */
static void load_kernel(void)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry take() { .reg .b32 %r; mov.u32 %r, %ctaid.x; ret; }\n";
    CUmodule module;
    must(driver.cuModuleLoadData_(&module, text), "cuModuleLoadData");
    must(driver.cuModuleGetFunction_(&function, module, "take"), "cuModuleGetFunction");
}

static void launch(unsigned nanoseconds)
{
    must(driver.cuLaunchKernel_(function, nanoseconds, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), "cuLaunchKernel");
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The median of rounds: others use the machine too. */
static void cost(int count)
{
    enum { ROUNDS = 31 };
    double rows[ROUNDS], waits[ROUNDS], memory[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t from = now();
        for (int i = 0; i < count; i++)
            launch(1);
        rows[round] = (double)(now() - from) / count;
        must(driver.cuCtxSynchronize_(), "cuCtxSynchronize");
        from = now();
        for (int i = 0; i < count; i++) {
            launch(1);
            must(driver.cuCtxSynchronize_(), "cuCtxSynchronize");
        }
        waits[round] = (double)(now() - from) / count;
        from = now();
        for (int i = 0; i < count; i++) {
            CUdeviceptr address;
            must(driver.cuMemAlloc_v2_(&address, 4096), "cuMemAlloc");
            must(driver.cuMemFree_v2_(address), "cuMemFree");
        }
        memory[round] = (double)(now() - from) / count;
    }
    qsort(rows, ROUNDS, sizeof *rows, compare);
    qsort(waits, ROUNDS, sizeof *waits, compare);
    qsort(memory, ROUNDS, sizeof *memory, compare);
    printf("launch\t%.1f\nlaunch and wait\t%.1f\nallocate and free\t%.1f\n", rows[ROUNDS / 2], waits[ROUNDS / 2], memory[ROUNDS / 2]);
}

/* Waits for an event, and prints when the device came to it: the program itself may learn of it late, for instance while it waits in a launch. */
static void tell(CUevent event, CUevent origin, uint64_t begun, uint64_t did)
{
    float milliseconds;
    must(driver.cuEventSynchronize_(event), "cuEventSynchronize");
    must(driver.cuEventElapsedTime_(&milliseconds, origin, event), "cuEventElapsedTime");
    printf("%.3f\t%llu\n", (double)begun / 1e6 + (double)milliseconds, (unsigned long long)did);
}

static void work(unsigned nanoseconds, double seconds)
{
    unsigned each = nanoseconds < 1000000 ? 1000000 / nanoseconds : 1; /* about a millisecond */
    CUevent origin, events[AHEAD];
    must(driver.cuEventCreate_(&origin, 0), "cuEventCreate");
    for (int i = 0; i < AHEAD; i++)
        must(driver.cuEventCreate_(&events[i], 0), "cuEventCreate");
    must(driver.cuEventRecord_(origin, NULL), "cuEventRecord");
    must(driver.cuEventSynchronize_(origin), "cuEventSynchronize");
    uint64_t begun = now(), end = begun + (uint64_t)(seconds * 1e9), launched = 0, told = 0;
    while (now() < end || told < launched) {
        if (launched - told == AHEAD || now() >= end) {
            told++;
            tell(events[(told - 1) % AHEAD], origin, begun, told * each * nanoseconds);
            continue;
        }
        for (unsigned j = 0; j < each; j++)
            launch(nanoseconds);
        must(driver.cuEventRecord_(events[launched % AHEAD], NULL), "cuEventRecord");
        launched++;
    }
}

static void requests(unsigned nanoseconds, double seconds, unsigned pause)
{
    uint64_t end = now() + (uint64_t)(seconds * 1e9);
    while (now() < end) {
        usleep(pause);
        uint64_t from = now();
        launch(nanoseconds);
        must(driver.cuCtxSynchronize_(), "cuCtxSynchronize");
        printf("%.1f\n", (double)(now() - from) / 1e3);
    }
}

int main(int count, char **words)
{
    begin();
    if (count == 3 && strcmp(words[1], "cost") == 0) {
        load_kernel(); /* which the engine looks up at every launch */
        cost(atoi(words[2]));
    } else if (count == 4 && strcmp(words[1], "work") == 0)
        work((unsigned)atoi(words[2]), atof(words[3]));
    else if (count == 4 && strcmp(words[1], "ranges") == 0) {
        load_kernel();
        work((unsigned)atoi(words[2]), atof(words[3]));
    } else if (count == 5 && strcmp(words[1], "requests") == 0)
        requests((unsigned)atoi(words[2]), atof(words[3]), (unsigned)atoi(words[4]));
    else
        return 2;
    return 0;
}
