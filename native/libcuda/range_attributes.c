/* What the program said about a range of managed memory: what holds for all of it. */
#include "hints.h"
#include "memory.h"

/* The advice of all parts together. */
struct common {
    bool begun, read_mostly, same_preferred, same_prefetched;
    CUmemLocation preferred, prefetched;
    uint64_t accessed_by;
};

static void combine(const struct facet_advice *advice, void *data)
{
    struct common *common = data;
    if (!common->begun) {
        *common = (struct common){true, advice->read_mostly, true, true, advice->preferred, advice->prefetched, advice->accessed_by};
        return;
    }
    common->read_mostly &= advice->read_mostly;
    common->accessed_by &= advice->accessed_by;
    common->same_preferred &= facet_location_same(common->preferred, advice->preferred);
    common->same_prefetched &= facet_location_same(common->prefetched, advice->prefetched);
}

static CUresult read_common(CUdeviceptr address, size_t bytes, struct common *common)
{
    struct facet_allocation found;
    CUresult result = facet_memory_managed(address, bytes, &found);
    if (result != CUDA_SUCCESS)
        return result;
    *common = (struct common){0};
    facet_hints_each(address, address + bytes, combine, common);
    if (!common->same_preferred)
        common->preferred = (CUmemLocation){0};
    if (!common->same_prefetched)
        common->prefetched = (CUmemLocation){0};
    return CUDA_SUCCESS;
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
    struct common common;
    CUresult result = read_common(address, bytes, &common);
    if (result != CUDA_SUCCESS)
        return result;
    bool list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    if (data == NULL || data_bytes == 0 || data_bytes % sizeof(int) != 0 || (!list && data_bytes != sizeof(int)))
        return CUDA_ERROR_INVALID_VALUE;
    int *value = data;
    switch ((int)attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *value = common.read_mostly;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *value = facet_location_device(common.preferred);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        accessors(common.accessed_by, value, data_bytes / sizeof(int));
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *value = facet_location_device(common.prefetched);
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *value = (int)common.preferred.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *value = common.preferred.id;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *value = (int)common.prefetched.type;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *value = common.prefetched.id;
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
