/* What the programs of the demo share. They are plain CUDA driver API programs; with NVIDIA's
 * cuda.h they compile as they are. */
#ifndef FACET_DEMO_H
#define FACET_DEMO_H

#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Ends the program when a call fails. */
static inline void demo_check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

#define CHECK(call) demo_check(call, #call)

/* The kernel of a name in the PTX file next to the program. */
static inline CUfunction demo_open(const char *path, const char *kernel)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoad(&module, path));
    CHECK(cuModuleGetFunction(&function, module, kernel));
    return function;
}

static inline double demo_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The device's memory as this program sees it, in MiB. */
static inline size_t demo_memory(void)
{
    size_t available, total;
    CHECK(cuMemGetInfo(&available, &total));
    return total >> 20;
}

#endif
