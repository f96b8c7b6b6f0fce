/* Physical memory of a device, which programs map where they like: cuMemCreate and what belongs to it. */
#include "device.h"
#include "mapped.h"
#include "pool.h"

bool facet_segment_possible(int ordinal)
{
    const struct facet_device_record *record = facet_device(ordinal);
    return record != NULL && record->attributes[CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED] != 0 &&
           facet_command_known(FACET_COMMAND_SEGMENT_CREATE);
}

CUresult facet_segment_device(int ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    return facet_segment_possible(ordinal) ? CUDA_SUCCESS : facet_unsupported("memory to be mapped, of this device");
}

static struct facet_segment *named(CUmemGenericAllocationHandle handle)
{
    struct facet_segment *segment = facet_object((const void *)(uintptr_t)handle, FACET_SEGMENT);
    return segment != NULL && segment->object.context == NULL && !segment->allocation && segment->references > 0 ? segment : NULL;
}

CUresult facet_segment_drop(struct facet_segment *segment)
{
    if (segment->references > 0 || segment->mappings > 0)
        return CUDA_SUCCESS;
    CUresult result = facet_wait_segment_release(0, segment->object.id, 0);
    facet_object_destroy(segment);
    return result;
}

static struct facet_segment *make(void)
{
    struct facet_segment *made = facet_object_create(FACET_SEGMENT, NULL);
    if (made != NULL)
        made->references = 1;
    return made;
}

/* What the client sees of a device that the host numbers. */
static int ordinal_of(uint64_t number)
{
    for (int i = 0; i < facet_device_count(); i++)
        if ((uint64_t)facet_device_number(i) == number)
            return i;
    return -1;
}

CUresult facet_segment_open(const uint64_t name[2], bool allocation, struct facet_segment **opened)
{
    struct facet_segment *made = make();
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t device = 0;
    CUresult result = facet_wait_segment_open(0, name[0], name[1], made->object.id, allocation, &made->bytes, &device);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(made);
        return result;
    }
    made->allocation = allocation;
    made->device = ordinal_of(device);
    if (made->device < 0) { /* CUDA_VISIBLE_DEVICES hides it */
        made->references = 0;
        facet_segment_drop(made);
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *opened = made;
    return CUDA_SUCCESS;
}

/* ---- the calls */

static CUresult check_properties(const CUmemAllocationProp *properties)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (properties == NULL || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    int type = (int)properties->location.type;
    if (type == CU_MEM_LOCATION_TYPE_HOST || type == CU_MEM_LOCATION_TYPE_HOST_NUMA || type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return facet_unsupported("cuMemCreate of host memory");
    if (type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (((unsigned)properties->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0)
        return facet_unsupported("cuMemCreate of memory that is exported otherwise than by a file descriptor");
    return facet_segment_device(properties->location.id);
}

CUresult facet_cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties, CUmemAllocationGranularity_flags option)
{
    CUresult result = check_properties(properties);
    if (result != CUDA_SUCCESS)
        return result;
    if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity = FACET_GRANULE;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties, unsigned long long flags)
{
    CUresult result = check_properties(properties);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == 0 || bytes % FACET_GRANULE != 0 || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->allocFlags.gpuDirectRDMACapable != 0 || properties->allocFlags.usage != 0)
        return facet_unsupported("cuMemCreate for RDMA or sparse arrays");
    facet_mapped_begin();
    struct facet_segment *made = make();
    result = made == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    if (made != NULL) {
        int device = properties->location.id;
        uint32_t number = (uint32_t)facet_device_number(device);
        made->device = device;
        made->bytes = bytes;
        made->handle_types = (unsigned)properties->requestedHandleTypes;
        result = facet_wait_segment_create(0, bytes, made->object.id, number);
        struct facet_context *context = facet_context_peek();
        if (result == CUDA_ERROR_OUT_OF_MEMORY && context != NULL && facet_pool_trim(context))
            result = facet_wait_segment_create(0, bytes, made->object.id, number);
        if (result == CUDA_SUCCESS)
            *handle = (CUmemGenericAllocationHandle)(uintptr_t)made;
        else
            facet_object_destroy(made);
    }
    facet_mapped_end();
    return result;
}

CUresult facet_cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    facet_mapped_begin();
    struct facet_segment *segment = named(handle);
    result = CUDA_ERROR_INVALID_VALUE;
    if (segment != NULL) {
        segment->references--;
        result = facet_segment_drop(segment);
    }
    facet_mapped_end();
    return result;
}

CUresult facet_cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_mapping found;
    facet_mapped_begin();
    bool there = facet_mapped_find((uint64_t)(uintptr_t)address, &found) && !found.opened;
    if (there) {
        found.segment->references++;
        *handle = (CUmemGenericAllocationHandle)(uintptr_t)found.segment;
    }
    facet_mapped_end();
    return there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    facet_mapped_begin();
    const struct facet_segment *segment = named(handle);
    if (segment != NULL)
        *properties = (CUmemAllocationProp){
            .type = CU_MEM_ALLOCATION_TYPE_PINNED,
            .requestedHandleTypes = (CUmemAllocationHandleType)segment->handle_types,
            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = segment->device},
        };
    facet_mapped_end();
    return segment == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == 0 || (address | bytes | offset) % FACET_GRANULE != 0 || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    facet_mapped_begin();
    struct facet_segment *segment = named(handle);
    bool inside = segment != NULL && offset <= segment->bytes && bytes <= segment->bytes - offset;
    result = inside ? facet_mapped_map(address, bytes, offset, segment) : CUDA_ERROR_INVALID_VALUE;
    facet_mapped_end();
    if (result != CUDA_ERROR_ALREADY_MAPPED)
        return result;
    facet_say("memory cannot be mapped: another program of the slice has these addresses on the vendor's device; reserve others");
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult facet_cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_mapping found;
    facet_mapped_begin();
    bool possible = bytes != 0 && (address | bytes) % FACET_GRANULE == 0 && facet_mapped_find(address, &found) && !found.opened;
    result = possible ? facet_mapped_unmap(address, bytes) : CUDA_ERROR_INVALID_VALUE;
    facet_mapped_end();
    return result;
}

/* ---- rights */

CUresult facet_cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *descriptions, size_t count)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (descriptions == NULL || count == 0 || bytes == 0 || (address | bytes) % FACET_GRANULE != 0)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        int flags = (int)descriptions[i].flags;
        if (descriptions[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
            return facet_unsupported("cuMemSetAccess for the host");
        if (facet_device(descriptions[i].location.id) == NULL)
            return CUDA_ERROR_INVALID_DEVICE;
        if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ && flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    facet_mapped_begin();
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = facet_mapped_access(address, bytes, descriptions[i].location.id, (unsigned)descriptions[i].flags);
    facet_mapped_end();
    return result;
}

CUresult facet_cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_mapping found;
    if (location == NULL || location->type != CU_MEM_LOCATION_TYPE_DEVICE || facet_device(location->id) == NULL ||
        !facet_mapped_find(address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    bool reads = found.readable >> location->id & 1, writes = found.writable >> location->id & 1;
    *flags = writes ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : reads ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

/* ---- addresses */

CUresult facet_cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr hint, unsigned long long flags)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == 0 || bytes % FACET_GRANULE != 0 || (alignment & (alignment - 1)) != 0 || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t chosen;
    facet_mapped_begin();
    result = facet_mapped_reserve(bytes, alignment < FACET_GRANULE ? FACET_GRANULE : alignment, hint & ~(FACET_GRANULE - 1), &chosen);
    facet_mapped_end();
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen;
    return result;
}

CUresult facet_cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    facet_mapped_begin();
    result = facet_mapped_free(address, bytes);
    facet_mapped_end();
    return result;
}
