/* Advice for managed memory. Host and device share its pages, so no bytes move; but the host may let it leave the device's
 * book where slices were promised more than the device has. docs/session-protocol.md, Oversubscription */
#include "hints.h"
#include "memory.h"
#include "stream.h"

enum { PAGE = 4096 }; /* ranges are rounded to pages, as CUDA does */

/* A range of managed memory in whole pages, as far as the allocation goes. */
struct range {
    struct facet_context *context;
    uint64_t start, end;
};

static CUmemLocation location_of(CUdevice device)
{
    return device == CU_DEVICE_CPU ? (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_HOST}
                                   : (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
}

static bool exists(CUmemLocation location)
{
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return facet_device(location.id) != NULL;
    return location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
           location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

static CUresult managed(CUdeviceptr address, size_t bytes, struct range *range)
{
    struct facet_allocation found;
    CUresult result = facet_memory_managed(address, bytes, &found);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t first = address & ~(uint64_t)(PAGE - 1), last = (address + bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    uint64_t limit = found.address + found.extent;
    bool all = address + bytes == found.address + found.bytes;
    *range = (struct range){
        .context = found.context,
        .start = first > found.address ? first : found.address,
        .end = all || last > limit ? limit : last,
    };
    return CUDA_SUCCESS;
}

struct change {
    CUmem_advise advice; /* or 0: prefetched */
    CUmemLocation location;
    const struct facet_context *context; /* whose memory it is */
};

/* Whether it need not be on its device: it belongs to the host, or the device reaches it elsewhere as well. */
static bool is_willing(const struct facet_advice *advice, int device)
{
    if (advice->preferred.type == CU_MEM_LOCATION_TYPE_DEVICE)
        return advice->preferred.id != device;
    return advice->preferred.type != CU_MEM_LOCATION_TYPE_INVALID || (advice->accessed_by >> (device + 1) & 1) != 0;
}

static void apply(struct facet_advice *advice, uint64_t start, uint64_t end, void *data)
{
    const struct change *change = data;
    uint64_t bit = UINT64_C(1) << ((facet_location_device(change->location) + 1) & 63);
    bool willing = is_willing(advice, change->context->device);
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
    if (is_willing(advice, change->context->device) != willing && facet_command_known(FACET_COMMAND_ADVISE))
        facet_post_advise(change->context->object.id, start, end - start, !willing);
}

CUresult facet_cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
    struct range range;
    CUresult result = managed(address, bytes, &range);
    if (result != CUDA_SUCCESS)
        return result;
    if ((int)advice < CU_MEM_ADVISE_SET_READ_MOSTLY || (int)advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    bool somewhere =
        advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY || advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    if (somewhere && !exists(location))
        return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    struct change change = {.advice = advice, .location = location, .context = range.context};
    return facet_hints_change(range.start, range.end, apply, &change);
}

CUresult facet_cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    return facet_cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

/* What a prefetch needs is known and right: told before any of a batch is done. */
static CUresult prefetchable(CUdeviceptr address, size_t bytes, CUmemLocation location, struct range *range)
{
    CUresult result = managed(address, bytes, range);
    if (result != CUDA_SUCCESS)
        return result;
    if (!exists(location))
        return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult move(struct facet_context *context, struct facet_stream *stream, const struct range *range, bool to_device)
{
    if (!facet_command_known(FACET_COMMAND_PREFETCH))
        return CUDA_SUCCESS; /* an older daemon: the memory is good where it is */
    return facet_post_prefetch(context, range->start, range->end - range->start, stream, range->context->object.id, to_device);
}

static CUresult prefetch(struct facet_context *context, struct facet_stream *stream, const struct range *range, CUmemLocation location)
{
    struct change change = {.location = location, .context = range->context};
    CUresult result = facet_hints_change(range->start, range->end, apply, &change);
    if (result != CUDA_SUCCESS)
        return result;
    return move(context, stream, range, location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == range->context->device);
}

CUresult facet_cuMemPrefetchAsync_v2(bool per_thread, CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    struct range range;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS)
        result = flags != 0 ? CUDA_ERROR_INVALID_VALUE : prefetchable(address, bytes, location, &range);
    return result == CUDA_SUCCESS ? prefetch(context, stream, &range, location) : result;
}

CUresult facet_cuMemPrefetchAsync(bool per_thread, CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    return facet_cuMemPrefetchAsync_v2(per_thread, address, bytes, location_of(device), 0, stream);
}

/* locations[k] is for the ranges from indices[k] to the next one. */
struct batch {
    CUdeviceptr *addresses;
    size_t *sizes;
    size_t count;
    CUmemLocation *locations; /* NULL: they are only discarded */
    size_t *indices;
    size_t location_count;
};

static bool is_sound(const struct batch *batch)
{
    if (batch->addresses == NULL || batch->sizes == NULL || batch->count == 0)
        return false;
    if (batch->locations == NULL)
        return true;
    if (batch->indices == NULL || batch->location_count == 0 || batch->location_count > batch->count || batch->indices[0] != 0)
        return false;
    for (size_t k = 1; k < batch->location_count; k++)
        if (batch->indices[k] <= batch->indices[k - 1] || batch->indices[k] >= batch->count)
            return false;
    return true;
}

/* All are looked at before the first one is done. */
static CUresult each_of(const struct batch *batch, struct facet_context *context, struct facet_stream *stream, bool look)
{
    CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_HOST};
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0, k = 0; i < batch->count && result == CUDA_SUCCESS; i++) {
        struct range range;
        if (batch->locations != NULL) {
            k += k + 1 < batch->location_count && batch->indices[k + 1] == i;
            location = batch->locations[k];
        }
        result = prefetchable(batch->addresses[i], batch->sizes[i], location, &range);
        if (result == CUDA_SUCCESS && !look)
            result = batch->locations != NULL ? prefetch(context, stream, &range, location) : move(context, stream, &range, false);
    }
    return result;
}

static CUresult run(const struct batch *batch, bool per_thread, unsigned long long flags, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS && (flags != 0 || !is_sound(batch)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = each_of(batch, context, stream, true);
    return result == CUDA_SUCCESS ? each_of(batch, context, stream, false) : result;
}

CUresult facet_cuMemPrefetchBatchAsync(bool per_thread, CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                                       size_t *indices, size_t location_count, unsigned long long flags, CUstream stream)
{
    if (locations == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    return run(&(struct batch){addresses, sizes, count, locations, indices, location_count}, per_thread, flags, stream);
}

/* What is discarded need not be kept, so nothing of it is worth its room on the device. */
CUresult facet_cuMemDiscardBatchAsync(bool per_thread, CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags, CUstream stream)
{
    return run(&(struct batch){addresses, sizes, count, NULL, NULL, 0}, per_thread, flags, stream);
}

/* No bytes move in either, so the second alone is the same as both. */
CUresult facet_cuMemDiscardAndPrefetchBatchAsync(bool per_thread, CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                                                 size_t *indices, size_t location_count, unsigned long long flags, CUstream stream)
{
    return facet_cuMemPrefetchBatchAsync(per_thread, addresses, sizes, count, locations, indices, location_count, flags, stream);
}
