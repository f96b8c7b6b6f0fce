/* Advice for managed memory. Host and device share its pages, so there is nothing to move; what the program
 * said is kept for the allocation and can be asked for. */
#include "memory.h"
#include "stream.h"

static CUmemLocation location_of(CUdevice device)
{
    return device == CU_DEVICE_CPU ? (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST}
                                   : (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
}

static CUdevice device_of(CUmemLocation location)
{
    switch ((int)location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return location.id;
    case CU_MEM_LOCATION_TYPE_INVALID:
        return CU_DEVICE_INVALID;
    default:
        return CU_DEVICE_CPU;
    }
}

static bool exists(CUmemLocation location)
{
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return facet_device(location.id) != NULL;
    return location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
           location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

static CUresult managed(CUdeviceptr address, size_t bytes, struct facet_allocation *found)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == 0 || !facet_memory_find(address, found) || found->kind != FACET_MEMORY_MANAGED || bytes > found->address + found->bytes - address)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

struct change {
    CUmem_advise advice; /* or 0: prefetched */
    CUmemLocation location;
};

static void apply(struct facet_allocation *allocation, const void *data)
{
    const struct change *change = data;
    struct facet_advice *advice = &allocation->advice;
    uint64_t bit = UINT64_C(1) << ((device_of(change->location) + 1) & 63);
    switch ((int)change->advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
        advice->read_mostly = true;
        break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        advice->read_mostly = false;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        advice->preferred = change->location;
        break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        advice->preferred = (CUmemLocation){0};
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
        advice->accessed_by |= bit;
        break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        advice->accessed_by &= ~bit;
        break;
    default:
        advice->prefetched = change->location;
    }
}

CUresult facet_cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
    struct facet_allocation found;
    CUresult result = managed(address, bytes, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if ((int)advice < CU_MEM_ADVISE_SET_READ_MOSTLY || (int)advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    bool somewhere =
        advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY || advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    if (somewhere && !exists(location))
        return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    facet_memory_change(address, apply, &(struct change){.advice = advice, .location = location});
    return CUDA_SUCCESS;
}

CUresult facet_cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    return facet_cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

CUresult facet_cuMemPrefetchAsync_v2(bool per_thread, CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    result = managed(address, bytes, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!exists(location))
        return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    facet_memory_change(address, apply, &(struct change){.location = location});
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPrefetchAsync(bool per_thread, CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    return facet_cuMemPrefetchAsync_v2(per_thread, address, bytes, location_of(device), 0, stream);
}

static void accessors(uint64_t mask, int *list, size_t count)
{
    size_t filled = 0;
    for (int device = CU_DEVICE_CPU; device < 63 && filled < count; device++)
        if ((mask >> (device + 1) & 1) != 0)
            list[filled++] = device;
    while (filled < count)
        list[filled++] = CU_DEVICE_INVALID;
}

CUresult facet_cuMemRangeGetAttribute(void *data, size_t data_bytes, CUmem_range_attribute attribute, CUdeviceptr address, size_t bytes)
{
    struct facet_allocation found;
    CUresult result = managed(address, bytes, &found);
    if (result != CUDA_SUCCESS)
        return result;
    bool list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    if (data == NULL || data_bytes == 0 || data_bytes % sizeof(int) != 0 || (!list && data_bytes != sizeof(int)))
        return CUDA_ERROR_INVALID_VALUE;
    const struct facet_advice *advice = &found.advice;
    int *value = data;
    switch ((int)attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *value = advice->read_mostly;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *value = device_of(advice->preferred);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        accessors(advice->accessed_by, value, data_bytes / sizeof(int));
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *value = device_of(advice->prefetched);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *value = (int)advice->preferred.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *value = advice->preferred.id;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *value = (int)advice->prefetched.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *value = advice->prefetched.id;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_cuMemRangeGetAttributes(void **data, size_t *data_bytes, CUmem_range_attribute *attributes, size_t count, CUdeviceptr address,
                                       size_t bytes)
{
    if (data == NULL || data_bytes == NULL || attributes == NULL || count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        result = facet_cuMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], address, bytes);
    return result;
}
