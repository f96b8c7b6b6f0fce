/* Calls from before CUDA 3.2, whose sizes have 32 bits. Those that have addresses of 32 bits besides are not supported: no memory
 * of a context lies there. */
#include <limits.h>

#include "client.h"

static unsigned clamped(size_t bytes)
{
    return bytes > UINT_MAX ? UINT_MAX : (unsigned)bytes;
}

CUresult facet_cuDeviceTotalMem(unsigned int *bytes, CUdevice device)
{
    size_t all;
    CUresult result = facet_cuDeviceTotalMem_v2(&all, device);
    if (result == CUDA_SUCCESS)
        *bytes = clamped(all);
    return result;
}

CUresult facet_cuMemGetInfo(unsigned int *free, unsigned int *total)
{
    size_t left, all;
    CUresult result = facet_cuMemGetInfo_v2(&left, &all);
    if (result == CUDA_SUCCESS) {
        *free = clamped(left);
        *total = clamped(all);
    }
    return result;
}

CUresult facet_cuMemAllocHost(void **memory, unsigned int bytes)
{
    return facet_cuMemAllocHost_v2(memory, bytes);
}
