/* Memory of other processes and of other APIs. It is charged to the process that opens it, once however often it does; who shares it is
 * charged too. So two processes of a slice that share memory are charged for it twice: too much rather than too little, since nobody
 * knows who of them will be the last to hold it. */
#include "books.h"
#include "slice.h"
#include "vendor.h"
#include "work.h"

/* Charges memory that was opened at an address. The vendor tells its size when it is there. */
static CUresult charge(CUdeviceptr address)
{
    struct facet_where where;
    struct facet_booked entry;
    if (facet_book_count(FACET_BOOKED_IMPORT, address, 1, &entry) > 0)
        return CUDA_SUCCESS;
    CUresult result = facet_where(&where);
    CUdeviceptr base = 0;
    size_t size = 0;
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuMemGetAddressRange_v2(&base, &size, address);
    if (result != CUDA_SUCCESS)
        return result;
    entry = (struct facet_booked){.key = address,
                                  .kind = FACET_BOOKED_IMPORT,
                                  .device = where.device,
                                  .count = 1,
                                  .bytes = facet_slice_rounded(size),
                                  .context = where.context};
    result = facet_slice_take(where.device, entry.bytes);
    if (result == CUDA_SUCCESS && !facet_book(&entry)) {
        facet_slice_give(where.device, entry.bytes);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return result;
}

CUresult facet_direct_cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags)
{
    CUresult result = facet_vendor.cuIpcOpenMemHandle_v2(address, handle, flags);
    if (result != CUDA_SUCCESS)
        return result;
    result = charge(*address);
    if (result != CUDA_SUCCESS)
        facet_vendor.cuIpcCloseMemHandle(*address);
    return result;
}

CUresult facet_direct_cuIpcCloseMemHandle(CUdeviceptr address)
{
    struct facet_booked entry;
    CUresult result = facet_vendor.cuIpcCloseMemHandle(address);
    if (result == CUDA_SUCCESS && facet_book_count(FACET_BOOKED_IMPORT, address, -1, &entry) == 0 && entry.kind != 0)
        facet_slice_give(entry.device, entry.bytes);
    return result;
}

CUresult facet_direct_cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool, CUmemPoolPtrExportData *shared)
{
    CUresult result = facet_vendor.cuMemPoolImportPointer(address, pool, shared);
    if (result != CUDA_SUCCESS)
        return result;
    result = charge(*address);
    if (result != CUDA_SUCCESS)
        facet_vendor.cuMemFree_v2(*address);
    return result;
}

CUresult facet_direct_cuImportExternalMemory(CUexternalMemory *memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *wanted)
{
    struct facet_where where;
    CUresult result = facet_where(&where);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t bytes = wanted == NULL ? 0 : facet_slice_rounded(wanted->size);
    result = facet_slice_take(where.device, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuImportExternalMemory(memory, wanted);
    struct facet_booked entry = {.kind = FACET_BOOKED_EXTERNAL, .device = where.device, .bytes = bytes, .context = where.context};
    entry.key = result == CUDA_SUCCESS ? (uint64_t)(uintptr_t)*memory : 0;
    if (result == CUDA_SUCCESS && facet_book(&entry))
        return CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        facet_vendor.cuDestroyExternalMemory(*memory);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    facet_slice_give(where.device, bytes);
    return result;
}

CUresult facet_direct_cuDestroyExternalMemory(CUexternalMemory memory)
{
    struct facet_booked entry;
    bool booked = facet_book_remove(FACET_BOOKED_EXTERNAL, (uint64_t)(uintptr_t)memory, &entry);
    CUresult result = facet_vendor.cuDestroyExternalMemory(memory);
    if (booked && result == CUDA_SUCCESS)
        facet_slice_give(entry.device, entry.bytes);
    else if (booked)
        facet_book(&entry);
    return result;
}
