/* What the driver API programs share. They are plain C; NVIDIA's cuda.h is used where it is installed,
 * so that its prototypes are tried against our libraries. */
#ifndef CHECK_H
#define CHECK_H

#if __has_include(<cuda.h>)
#include <cuda.h>
#else
#include "names.h"
#endif

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cuda.h gives this name to another function in each major version. */
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

static inline const char *name_of(CUresult code)
{
    const char *name = NULL;
    return cuGetErrorName(code, &name) == CUDA_SUCCESS && name != NULL ? name : "an unknown error";
}

#define EXPECT(call, code)                                                                                                   \
    do {                                                                                                                     \
        CUresult checked_ = (call);                                                                                          \
        if (checked_ != (code)) {                                                                                            \
            printf("%s:%d: %s: %s (%d), expected %s\n", __FILE__, __LINE__, #call, name_of(checked_), (int)checked_, #code); \
            exit(1);                                                                                                         \
        }                                                                                                                    \
    } while (0)

#define CHECK(call) EXPECT(call, CUDA_SUCCESS)

#define REQUIRE(condition, ...)                                            \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                           \
            printf("\n");                                                  \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

/* The bytes of a file of PTX become an array in the program, with a 0 behind them. */
#define PTX(symbol, file)                                                                                                         \
    __asm__(".section .rodata\n.global " #symbol "\n" #symbol ":\n.incbin \"" PTX_DIRECTORY "/" file "\"\n.byte 0\n.previous\n"); \
    extern const char symbol[]

PTX(kernels, "kernels.ptx");

/* The device's primary context, current in this thread. */
static inline CUcontext open_device(void)
{
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    return context;
}

static inline CUmodule load_kernels(void)
{
    CUmodule module;
    CHECK(cuModuleLoadData(&module, kernels));
    return module;
}

static inline CUfunction kernel(CUmodule module, const char *name)
{
    CUfunction function;
    CHECK(cuModuleGetFunction(&function, module, name));
    return function;
}

static inline CUdeviceptr allocate(size_t bytes)
{
    CUdeviceptr pointer = 0;
    CHECK(cuMemAlloc(&pointer, bytes));
    return pointer;
}

/* Launches with a one-dimensional grid; the arguments are pointers to the kernel's arguments. */
#define LAUNCH(function, grid, block, shared, stream, ...) \
    cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, stream, (void *[]){__VA_ARGS__}, NULL)

#endif
