/* Questions about devices, answered from the snapshot that came with the session. */
#include <stdio.h>
#include <string.h>

#include "device.h"

CUresult facet_device_check(CUdevice ordinal, const struct facet_device_record **record)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *record = facet_device(ordinal);
    return *record == NULL ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult facet_cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_device(ordinal) == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetCount(int *count)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (count == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *count = facet_device_count();
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetName(char *name, int length, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (name == NULL || length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)length, "%.*s", (int)sizeof record->name, (const char *)record->name);
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (uuid == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(uuid, record->uuid, sizeof record->uuid);
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceTotalMem_v2(size_t *bytes, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = facet_ledger_limit(ordinal);
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (value == NULL || (int)attribute <= 0 || (int)attribute >= FACET_DEVICE_ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    *value = record->attributes[attribute];
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceComputeCapability(int *major, int *minor, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (major == NULL || minor == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *major = record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
    *minor = record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetProperties(CUdevprop *properties, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (properties == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    const int32_t *attributes = record->attributes;
    memset(properties, 0, sizeof *properties);
    properties->maxThreadsPerBlock = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
    for (int i = 0; i < 3; i++) {
        properties->maxThreadsDim[i] = attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i];
        properties->maxGridSize[i] = attributes[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i];
    }
    properties->sharedMemPerBlock = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK];
    properties->totalConstantMemory = attributes[CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY];
    properties->SIMDWidth = attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE];
    properties->memPitch = attributes[CU_DEVICE_ATTRIBUTE_MAX_PITCH];
    properties->regsPerBlock = attributes[CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK];
    properties->clockRate = attributes[CU_DEVICE_ATTRIBUTE_CLOCK_RATE];
    properties->textureAlign = attributes[CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT];
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format, unsigned channels, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (elements == NULL || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    (void)format;
    *elements = (size_t)record->attributes[CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH];
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (supported == NULL || (int)type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
        return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
}

/* A number that Windows has for adapters. */
CUresult facet_cuDeviceGetLuid(char *luid, unsigned int *mask, CUdevice ordinal)
{
    const struct facet_device_record *record;
    (void)luid;
    (void)mask;
    CUresult result = facet_device_check(ordinal, &record);
    return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : result;
}
