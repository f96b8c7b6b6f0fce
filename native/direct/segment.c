#include "segment.h"

#include <pthread.h>
#include <stdlib.h>

#include "slice.h"
#include "vendor.h"

/* A piece of physical memory. */
struct segment {
    uint64_t bytes; /* charged; of imported memory what was mapped so far, since nobody tells its size */
    int device;     /* of the slice; -1: memory of the host, which does not count */
    bool imported;
    uint32_t users; /* handles and mappings */
};

/* A handle, each as often as it was retained; or a mapping. Both are few, so lists do. */
struct use {
    struct use *next;
    struct segment *segment;
    CUmemGenericAllocationHandle handle;
    CUdeviceptr address; /* of a mapping */
    uint64_t bytes;
};

static struct use *handles, *mappings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool use(struct use **list, struct segment *segment, CUmemGenericAllocationHandle handle, CUdeviceptr address, uint64_t bytes)
{
    struct use *more = malloc(sizeof *more);
    if (more == NULL)
        return false;
    *more = (struct use){.next = *list, .segment = segment, .handle = handle, .address = address, .bytes = bytes};
    *list = more;
    segment->users++;
    return true;
}

static void end_use(struct use **place)
{
    struct use *gone = *place;
    struct segment *segment = gone->segment;
    *place = gone->next;
    free(gone);
    if (--segment->users == 0) {
        if (segment->device >= 0)
            facet_slice_give(segment->device, segment->bytes);
        free(segment);
    }
}

static struct use **handle_place(CUmemGenericAllocationHandle handle)
{
    struct use **place = &handles;
    while (*place != NULL && (*place)->handle != handle)
        place = &(*place)->next;
    return place;
}

/* A new segment with its first handle; false: there is no memory for it. */
static bool enter(CUmemGenericAllocationHandle handle, int device, uint64_t bytes, bool imported)
{
    struct segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL)
        return false;
    *segment = (struct segment){.bytes = bytes, .device = device, .imported = imported};
    pthread_mutex_lock(&lock);
    bool done = use(&handles, segment, handle, 0, 0);
    pthread_mutex_unlock(&lock);
    if (!done)
        free(segment);
    return done;
}

CUresult facet_direct_cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *properties, unsigned long long flags)
{
    CUresult result = facet_slice_check();
    if (result != CUDA_SUCCESS || properties == NULL || properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return result != CUDA_SUCCESS ? result : facet_vendor.cuMemCreate(handle, size, properties, flags);
    int device = facet_slice_number(properties->location.id);
    if (device < 0)
        return CUDA_ERROR_INVALID_DEVICE;
    uint64_t bytes = facet_slice_rounded(size);
    result = facet_slice_take(device, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemCreate(handle, size, properties, flags);
    if (result == CUDA_SUCCESS && !enter(*handle, device, bytes, false)) {
        facet_vendor.cuMemRelease(*handle);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result != CUDA_SUCCESS)
        facet_slice_give(device, bytes);
    return result;
}

/* Charged when it is mapped. The same memory imported twice by a process has one handle, or is charged twice. */
CUresult facet_direct_cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared, CUmemAllocationHandleType type)
{
    CUresult result = facet_slice_check();
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuMemImportFromShareableHandle(handle, shared, type);
    if (result != CUDA_SUCCESS)
        return result;
    CUmemAllocationProp properties;
    int device = -1;
    if (facet_vendor.cuMemGetAllocationPropertiesFromHandle(&properties, *handle) == CUDA_SUCCESS &&
        properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        device = facet_slice_number(properties.location.id);
    pthread_mutex_lock(&lock);
    struct use *known = *handle_place(*handle);
    bool done = known != NULL && use(&handles, known->segment, *handle, 0, 0);
    pthread_mutex_unlock(&lock);
    if (done || enter(*handle, device, 0, true))
        return CUDA_SUCCESS;
    facet_vendor.cuMemRelease(*handle);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult facet_direct_cuMemRelease(CUmemGenericAllocationHandle handle)
{
    pthread_mutex_lock(&lock);
    CUresult result = facet_vendor.cuMemRelease(handle);
    struct use **place = handle_place(handle);
    if (result == CUDA_SUCCESS && *place != NULL)
        end_use(place);
    pthread_mutex_unlock(&lock);
    return result;
}

/* Imported memory is charged as far as it is mapped. */
static CUresult charge_import(struct segment *segment, uint64_t end)
{
    uint64_t bytes = facet_slice_rounded(end);
    if (!segment->imported || segment->device < 0 || bytes <= segment->bytes)
        return CUDA_SUCCESS;
    CUresult result = facet_slice_take(segment->device, bytes - segment->bytes);
    if (result == CUDA_SUCCESS)
        segment->bytes = bytes;
    return result;
}

CUresult facet_direct_cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    uint64_t end;
    pthread_mutex_lock(&lock);
    struct use *known = *handle_place(handle);
    CUresult result = CUDA_SUCCESS;
    if (known != NULL && !__builtin_add_overflow((uint64_t)offset, (uint64_t)size, &end))
        result = charge_import(known->segment, end);
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuMemMap(address, size, offset, handle, flags);
    if (result == CUDA_SUCCESS && known != NULL && !use(&mappings, known->segment, handle, address, size)) {
        facet_vendor.cuMemUnmap(address, size);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* One mapping or several, each as a whole. */
CUresult facet_direct_cuMemUnmap(CUdeviceptr address, size_t size)
{
    pthread_mutex_lock(&lock);
    CUresult result = facet_vendor.cuMemUnmap(address, size);
    for (struct use **place = &mappings; result == CUDA_SUCCESS && *place != NULL;) {
        if ((*place)->address >= address && (*place)->address - address < size)
            end_use(place);
        else
            place = &(*place)->next;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_direct_cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *pointer)
{
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
    pthread_mutex_lock(&lock);
    CUresult result = facet_vendor.cuMemRetainAllocationHandle(handle, pointer);
    struct use *each = mappings;
    while (each != NULL && !(address >= each->address && address - each->address < each->bytes))
        each = each->next;
    if (result == CUDA_SUCCESS && each != NULL && !use(&handles, each->segment, *handle, 0, 0)) {
        facet_vendor.cuMemRelease(*handle);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void facet_segments_lock(void)
{
    pthread_mutex_lock(&lock);
}

void facet_segments_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* In a child, where nothing is charged: the lists are left to themselves. */
void facet_segments_forget(void)
{
    handles = mappings = NULL;
}
