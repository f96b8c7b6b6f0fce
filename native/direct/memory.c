/* Memory at an address of the vendor's choice. The same steps for all: reserve in the ledger, call, book; or take back what was reserved. */
#include <stdint.h>

#include "books.h"
#include "oversubscribe.h"
#include "pool.h"
#include "slice.h"
#include "vendor.h"
#include "work.h"

/* A claim that waits for the vendor's answer. */
struct claim {
    struct facet_where where;
    uint64_t bytes;
};

static CUresult reserve(struct claim *claim, uint64_t bytes)
{
    CUresult result = facet_where(&claim->where);
    claim->bytes = facet_slice_rounded(bytes);
    return result != CUDA_SUCCESS ? result : facet_slice_take(claim->where.device, claim->bytes);
}

/* With what the vendor answered. */
static CUresult settle(struct claim *claim, CUresult result, CUdeviceptr address)
{
    struct facet_booked entry = {
        .key = address, .kind = FACET_BOOKED_MEMORY, .device = claim->where.device, .bytes = claim->bytes, .context = claim->where.context};
    if (result == CUDA_SUCCESS && facet_book(&entry))
        return CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        facet_vendor.cuMemFree_v2(address);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    facet_slice_give(claim->where.device, claim->bytes);
    return result;
}

CUresult facet_direct_cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    struct claim claim;
    CUresult result = reserve(&claim, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemAlloc_v2(address, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        result = facet_oversubscribe(&claim.where, address, bytes);
    return settle(&claim, result, result == CUDA_SUCCESS ? *address : 0);
}

CUresult facet_direct_cuMemAlloc(CUdeviceptr_v1 *address, unsigned int bytes)
{
    struct claim claim;
    CUresult result = reserve(&claim, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemAlloc(address, bytes);
    return settle(&claim, result, result == CUDA_SUCCESS ? *address : 0);
}

CUresult facet_direct_cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    struct claim claim;
    CUresult result = reserve(&claim, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemAllocManaged(address, bytes, flags);
    return settle(&claim, result, result == CUDA_SUCCESS ? *address : 0);
}

/* The vendor chooses the pitch: what the rows need at least is reserved before, and the rest behind it. */
static CUresult settle_rows(struct claim *claim, CUresult result, CUdeviceptr address, uint64_t pitch, uint64_t height)
{
    uint64_t all, reserved = claim->bytes;
    if (result == CUDA_SUCCESS && !__builtin_mul_overflow(pitch, height, &all) && facet_slice_rounded(all) > reserved) {
        uint64_t more = facet_slice_rounded(all) - reserved;
        result = facet_slice_take(claim->where.device, more);
        if (result == CUDA_SUCCESS)
            claim->bytes += more;
        else
            facet_vendor.cuMemFree_v2(address);
    }
    return settle(claim, result, address);
}

CUresult facet_direct_cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    struct claim claim;
    uint64_t bytes;
    CUresult result = __builtin_mul_overflow((uint64_t)width, (uint64_t)height, &bytes) ? CUDA_ERROR_OUT_OF_MEMORY : reserve(&claim, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemAllocPitch_v2(address, pitch, width, height, element);
    bool given = result == CUDA_SUCCESS;
    return settle_rows(&claim, result, given ? *address : 0, given ? *pitch : 0, height);
}

CUresult facet_direct_cuMemAllocPitch(CUdeviceptr_v1 *address, unsigned int *pitch, unsigned int width, unsigned int height, unsigned int element)
{
    struct claim claim;
    CUresult result = reserve(&claim, (uint64_t)width * height);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMemAllocPitch(address, pitch, width, height, element);
    bool given = result == CUDA_SUCCESS;
    return settle_rows(&claim, result, given ? *address : 0, given ? *pitch : 0, height);
}

/* Out of the book first: as soon as the vendor has it back it may give the address to another thread. */
static CUresult give_back(CUdeviceptr address, CUresult (*free_it)(CUdeviceptr address, CUstream unused))
{
    struct facet_booked entry;
    if (!facet_book_remove(FACET_BOOKED_MEMORY, address, &entry))
        return facet_pools_free(address, NULL, free_it);
    CUresult result = free_it(address, NULL);
    if (result == CUDA_SUCCESS)
        facet_slice_give(entry.device, entry.bytes);
    else
        facet_book(&entry); /* still there */
    return result;
}

static CUresult free_now(CUdeviceptr address, CUstream unused)
{
    (void)unused;
    return facet_vendor.cuMemFree_v2(address);
}

static CUresult free_as_before(CUdeviceptr address, CUstream unused)
{
    (void)unused;
    return facet_vendor.cuMemFree((CUdeviceptr_v1)address);
}

CUresult facet_direct_cuMemFree_v2(CUdeviceptr address)
{
    return give_back(address, free_now);
}

CUresult facet_direct_cuMemFree(CUdeviceptr_v1 address)
{
    return give_back(address, free_as_before);
}
