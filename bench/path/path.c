/* path PTX [mapped]: what the calls of the CUDA driver API cost the caller; mapped: also copies to memory at an address that was chosen. Prints lines "name<tab>value<tab>unit<tab>worst of 99 %".
 * A plain driver API program: it runs on any libcuda. */
#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 200000, COPY_BYTES = 64 << 20, COPIES = 15, SMALL = 4096 };

#define WARM_NANOSECONDS UINT64_C(3000000000)

static uint64_t samples[MOST];
static int sample_count;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t median(void)
{
    qsort(samples, (size_t)sample_count, sizeof samples[0], compare);
    return samples[sample_count / 2];
}

static void report_nanos(const char *name)
{
    uint64_t middle = median();
    printf("%s\t%.3f\tus\t%.3f\n", name, (double)middle / 1e3, (double)samples[(int)(sample_count * 0.99)] / 1e3);
    fflush(stdout);
    sample_count = 0;
}

static void report_rate(const char *name, size_t bytes)
{
    uint64_t middle = median();
    printf("%s\t%.2f\tGB/s\t%.2f\n", name, (double)bytes / (double)middle, (double)bytes / (double)samples[sample_count - 1]);
    fflush(stdout);
    sample_count = 0;
}

#define TIME(call)                                 \
    do {                                           \
        uint64_t started = now();                  \
        call;                                      \
        samples[sample_count++] = now() - started; \
    } while (0)

static void launch(CUfunction function, CUstream stream)
{
    check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL), "launch");
}

static void launches(CUfunction function, CUstream stream)
{
    for (int i = 0; i < 20000; i++) { /* warm */
        launch(function, stream);
    }
    CHECK(cuStreamSynchronize(stream));
    for (int batch = 0; batch < 500; batch++) {
        for (int i = 0; i < 100; i++) {
            TIME(launch(function, stream));
        }
        CHECK(cuStreamSynchronize(stream));
    }
    report_nanos("launch");
    for (int round = 0; round < 5; round++) {
        uint64_t started = now();
        for (int i = 0; i < 20000; i++) {
            launch(function, stream);
        }
        CHECK(cuStreamSynchronize(stream));
        samples[sample_count++] = (now() - started) / 20000;
    }
    report_nanos("launch sustained");
    /* Until the daemon's own code is compiled: meanwhile client and daemon share a core. */
    for (uint64_t warm = now() + WARM_NANOSECONDS; now() < warm;) {
        launch(function, stream);
        CHECK(cuStreamSynchronize(stream));
    }
    for (int i = 0; i < 20000; i++) {
        TIME({
            launch(function, stream);
            CHECK(cuStreamSynchronize(stream));
        });
    }
    report_nanos("launch and wait");
}

/* A chain of 100 empty kernels. */
static void graphs(CUfunction function, CUstream stream)
{
    CUgraph graph;
    CUgraphNode last = NULL;
    CUgraphExec exec;
    CUDA_KERNEL_NODE_PARAMS params;
    memset(&params, 0, sizeof params);
    params.func = function;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
    params.blockDimX = 32;
    CHECK(cuGraphCreate(&graph, 0));
    for (int i = 0; i < 100; i++) {
        CHECK(cuGraphAddKernelNode(&last, graph, &last, i == 0 ? 0 : 1, &params));
    }
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < 500; i++) { /* warm */
        CHECK(cuGraphLaunch(exec, stream));
    }
    CHECK(cuStreamSynchronize(stream));
    for (int batch = 0; batch < 100; batch++) {
        for (int i = 0; i < 10; i++) {
            TIME(CHECK(cuGraphLaunch(exec, stream)));
        }
        CHECK(cuStreamSynchronize(stream));
    }
    report_nanos("launch a graph of 100");
    for (int round = 0; round < 5; round++) {
        uint64_t started = now();
        for (int i = 0; i < 200; i++) {
            CHECK(cuGraphLaunch(exec, stream));
        }
        CHECK(cuStreamSynchronize(stream));
        samples[sample_count++] = (now() - started) / 20000;
    }
    report_nanos("graph sustained, of a kernel");
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
}

static void waits(CUstream stream)
{
    for (int i = 0; i < 20000; i++) {
        CHECK(cuStreamSynchronize(stream));
    }
    for (int i = 0; i < 100000; i++) {
        TIME(CHECK(cuStreamSynchronize(stream)));
    }
    report_nanos("wait hot");
    for (int i = 0; i < 200; i++) {
        usleep(20000);
        TIME(CHECK(cuStreamSynchronize(stream)));
    }
    report_nanos("wait after idling");
}

static void allocations(const char *name, size_t bytes)
{
    CUdeviceptr pointer;
    for (int i = 0; i < 50000; i++) {
        TIME({
            CHECK(cuMemAlloc(&pointer, bytes));
            CHECK(cuMemFree(pointer));
        });
    }
    report_nanos(name);
}

/* Median rates of copies to and from the device, in turns with memcpy so that all see the same machine. To the device counts until the data is
 * there: a driver may return before. */
static void copy_in_turns(const char *const names[3], CUdeviceptr device, char *from, char *to)
{
    uint64_t times[3][COPIES];
    CHECK(cuMemcpyHtoD(device, from, COPY_BYTES));
    CHECK(cuMemcpyDtoH(to, device, COPY_BYTES));
    for (int i = 0; i < COPIES; i++) {
        uint64_t started = now();
        memcpy(to, from, COPY_BYTES);
        uint64_t copied = now();
        CHECK(cuMemcpyHtoD(device, from, COPY_BYTES));
        CHECK(cuCtxSynchronize());
        uint64_t up = now();
        CHECK(cuMemcpyDtoH(to, device, COPY_BYTES));
        uint64_t down = now();
        times[0][i] = copied - started;
        times[1][i] = up - copied;
        times[2][i] = down - up;
    }
    for (int kind = 0; kind < 3; kind++) {
        memcpy(samples, times[kind], sizeof times[kind]);
        sample_count = COPIES;
        if (names[kind] != NULL)
            report_rate(names[kind], COPY_BYTES);
        sample_count = 0;
    }
}

/* Memory at an address that was chosen before; 0: there is no such thing here. */
static CUdeviceptr mapped_memory(void)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemAccessDesc access = {.location = properties.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle memory;
    CUdeviceptr address;
    if (cuMemAddressReserve(&address, COPY_BYTES, 0, 0, 0) != CUDA_SUCCESS || cuMemCreate(&memory, COPY_BYTES, &properties, 0) != CUDA_SUCCESS)
        return 0;
    CHECK(cuMemMap(address, COPY_BYTES, 0, memory, 0));
    CHECK(cuMemSetAccess(address, COPY_BYTES, &access, 1));
    return address;
}

static void copies(bool also_mapped)
{
    static const char *const NAMES[] = {"memcpy 64 MiB", "copy to device 64 MiB", "copy from device 64 MiB"}, *const MAPPED[] = {
                                                                                                                  NULL,
                                                                                                                  "copy to mapped memory 64 MiB",
                                                                                                                  "copy from mapped memory 64 MiB"};
    char *from = malloc(COPY_BYTES), *to = malloc(COPY_BYTES);
    CUdeviceptr device, mapped = also_mapped ? mapped_memory() : 0;
    CHECK(cuMemAlloc(&device, COPY_BYTES));
    memset(from, 1, COPY_BYTES);
    memset(to, 2, COPY_BYTES);
    copy_in_turns(NAMES, device, from, to);
    if (mapped != 0)
        copy_in_turns(MAPPED, mapped, from, to);
    for (int i = 0; i < 50000; i++) {
        TIME(CHECK(cuMemcpyHtoD(device, from, SMALL)));
    }
    report_nanos("copy to device 4 KiB");
    for (int i = 0; i < 50000; i++) {
        TIME(CHECK(cuMemcpyDtoH(to, device, SMALL)));
    }
    report_nanos("copy from device 4 KiB");
    CHECK(cuMemFree(device));
    free(from);
    free(to);
}

static void copies_after_launch(CUfunction function, CUstream stream)
{
    static char buffer[SMALL];
    CUdeviceptr device;
    CHECK(cuMemAlloc(&device, SMALL));
    for (int i = 0; i < 20000; i++) {
        launch(function, stream);
        TIME(CHECK(cuMemcpyDtoH(buffer, device, SMALL)));
    }
    report_nanos("copy from device 4 KiB after a launch");
    CHECK(cuMemFree(device));
}

int main(int count, char **arguments)
{
    if (count != 2 && !(count == 3 && strcmp(arguments[2], "mapped") == 0)) {
        fprintf(stderr, "usage: path KERNELS.ptx [mapped]\n");
        return 2;
    }
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUstream stream;
    uint64_t started = now();
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    printf("init and context\t%.3f\tms\t0\n", (double)(now() - started) / 1e6);
    started = now();
    CHECK(cuModuleLoad(&module, arguments[1]));
    CHECK(cuModuleGetFunction(&function, module, "nothing"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    launch(function, stream);
    CHECK(cuStreamSynchronize(stream));
    printf("first launch\t%.3f\tms\t0\n", (double)(now() - started) / 1e6);
    launches(function, stream);
    graphs(function, stream);
    waits(stream);
    allocations("allocate and free 256 B", 256);
    allocations("allocate and free 1 MiB", 1 << 20);
    copies(count == 3);
    copies_after_launch(function, NULL);
    return 0;
}
