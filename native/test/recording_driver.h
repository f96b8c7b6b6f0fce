/* A driver that only writes down what it is asked: one device, contexts that are numbers. For one test alone. */
#ifndef FACET_RECORDING_DRIVER_H
#define FACET_RECORDING_DRIVER_H

#include <stdio.h>
#include <string.h>

#include "../libcudart/runtime.h"

static int inits;
static int early; /* calls before the driver was initialized */
static int loads;
static int launches;
static int retained;
static unsigned long long context_id; /* of the current context; 0: none */
static unsigned long long next_id = 1;
static CUresult answer; /* of launches and synchronization */
static CUresult load_answer;
static CUfunction launched;
static CUstream launched_in;
static _Thread_local CUcontext current;

CUresult cuInit(unsigned flags)
{
    (void)flags;
    inits++;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 1000 + attribute;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    (void)device;
    snprintf(name, (size_t)bytes, "a device");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 7, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)5 << 30;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    (void)device;
    retained++;
    context_id = next_id++;
    *context = (CUcontext)(uintptr_t)(0x1000 + context_id);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    (void)device;
    context_id = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    early += inits == 0;
    *context = current;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
    early += inits == 0;
    if (context == NULL)
        context = current;
    if (context == NULL || (uintptr_t)context != 0x1000 + context_id)
        return CUDA_ERROR_INVALID_CONTEXT;
    *id = context_id;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    return answer;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    loads++;
    *module = (CUmodule)(uintptr_t)image;
    return load_answer;
}

CUresult cuModuleUnload(CUmodule module)
{
    (void)module;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    (void)module;
    *function = (CUfunction)(uintptr_t)(name + context_id);
    return strcmp(name, "nowhere") == 0 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

static int managed_value = 42;

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    (void)module;
    (void)name;
    *address = (CUdeviceptr)(uintptr_t)&managed_value;
    *bytes = sizeof managed_value;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream stream, void **arguments, void **extra)
{
    (void)gx;
    (void)gy;
    (void)gz;
    (void)shared;
    (void)arguments;
    (void)extra;
    launches++;
    launched = function;
    launched_in = stream;
    return bx * by * bz > 1024 ? CUDA_ERROR_INVALID_VALUE : answer;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    *address = 0x7000;
    return bytes == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

#endif
