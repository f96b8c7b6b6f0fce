/* What is known about an address. */
#include <string.h>

#include "mapped.h"

static CUresult answer(void *data, const void *value, size_t bytes)
{
    memcpy(data, value, bytes);
    return CUDA_SUCCESS;
}

static CUresult number(void *data, uint64_t value)
{
    return answer(data, &value, sizeof value);
}

static CUresult small(void *data, int value)
{
    return answer(data, &value, sizeof value);
}

/* Booleans are what C calls unsigned int in some answers and bool in others; CUDA's documents say which. */
static CUresult flag(void *data, bool value)
{
    return answer(data, &value, sizeof value);
}

static uint64_t host_start(const struct facet_allocation *found)
{
    return found->host != NULL ? (uint64_t)(uintptr_t)found->host : found->address;
}

/* Of the current context's device. */
static int access_to(const struct facet_allocation *found, uint64_t address)
{
    const struct facet_context *context = facet_context_peek();
    CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = context == NULL ? found->device : context->device};
    unsigned long long flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (found->mapped && facet_cuMemGetAccess(&flags, &here, (CUdeviceptr)address) != CUDA_SUCCESS)
        flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return (int)flags;
}

static CUresult attribute_of(const struct facet_allocation *found, uint64_t address, CUpointer_attribute attribute, void *data)
{
    uint64_t offset = address - host_start(found);
    bool host = found->kind == FACET_MEMORY_PINNED;
    bool managed = found->kind == FACET_MEMORY_MANAGED;
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return found->mapped ? CUDA_ERROR_INVALID_VALUE : number(data, (uint64_t)(uintptr_t)found->context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return small(data, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return found->address == 0 ? CUDA_ERROR_INVALID_VALUE : number(data, found->address + offset);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return host || managed ? number(data, address) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return small(data, found->synchronous);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return number(data, found->buffer);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return small(data, managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return small(data, found->mapped ? found->device : found->context->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        return number(data, host_start(found));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        return number(data, found->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED:
        return flag(data, true);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return flag(data,
                    found->kind == FACET_MEMORY_DEVICE && !found->mapped && found->pool == NULL && facet_segment_possible(found->context->device));
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
        return flag(data, false);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return number(data, found->handle_types);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return small(data, access_to(found, address));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return number(data, (uint64_t)(uintptr_t)found->pool);
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        return number(data, found->buffer);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    if (data == NULL || !facet_memory_find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    return attribute_of(&found, address, attribute, data);
}

/* Memory that is not CUDA's is no mistake here: it has no context, and no device. */
static void nothing(CUpointer_attribute attribute, void *data)
{
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        small(data, CU_DEVICE_INVALID);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        small(data, 0);
        break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
        flag(data, false);
        break;
    default:
        number(data, 0);
    }
}

CUresult facet_cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (attributes == NULL || data == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_allocation found;
    bool known = facet_memory_find(address, &found);
    for (unsigned i = 0; i < count; i++) {
        int attribute = (int)attributes[i];
        if (data[i] == NULL || attribute < CU_POINTER_ATTRIBUTE_CONTEXT || attribute > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
            return CUDA_ERROR_INVALID_VALUE;
        if (!known || attribute_of(&found, address, attributes[i], data[i]) != CUDA_SUCCESS)
            nothing(attributes[i], data[i]);
    }
    return CUDA_SUCCESS;
}

static void set_synchronous(struct facet_allocation *allocation, const void *data)
{
    allocation->synchronous = *(const int *)data != 0;
}

CUresult facet_cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (value == NULL || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
        return CUDA_ERROR_INVALID_VALUE;
    return facet_memory_change(address, set_synchronous, value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
