/* Pools that other processes of the slice import. A descriptor names the pool, 64 bytes name an allocation of it; what is
 * imported is mapped as by cuIpcOpenMemHandle, and open to all devices that the program sees. */
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "memory.h"
#include "pool_calls.h"
#include "share.h"

#define POOL UINT64_C(0x6c6f702d74656361)
#define POINTER UINT64_C(0x7274702d74656361)

struct told_pool {
    uint64_t magic;
    uint64_t name[2];
    uint64_t device;
};

struct told_pointer {
    uint64_t magic;
    uint64_t name[2];
    uint64_t pool[2];
    uint64_t place; /* facet_share_place */
    uint64_t zero[2];
};

_Static_assert(sizeof(struct told_pointer) == sizeof(CUmemPoolPtrExportData), "as the program has it");

CUresult facet_pool_name(struct facet_pool *pool)
{
    CUresult result = facet_segment_device(pool->device);
    if (result != CUDA_SUCCESS)
        return result;
    if (getrandom(pool->name, sizeof pool->name, 0) != (ssize_t)sizeof pool->name)
        return CUDA_ERROR_OPERATING_SYSTEM;
    pool->shared = true;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPoolExportToShareableHandle(void *shareable, CUmemoryPool handle, CUmemAllocationHandleType type, unsigned long long flags)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (shareable == NULL || !pool->shared || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct told_pool told = {.magic = POOL, .name = {pool->name[0], pool->name[1]}, .device = (uint64_t)pool->device};
    int file = facet_share_file(&told, sizeof told);
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    memcpy(shareable, &file, sizeof file);
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPoolImportFromShareableHandle(CUmemoryPool *handle, void *shareable, CUmemAllocationHandleType type, unsigned long long flags)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct told_pool told;
    int file = (int)(intptr_t)shareable;
    if (handle == NULL || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0 || (intptr_t)shareable != file ||
        pread(file, &told, sizeof told, 0) != (ssize_t)sizeof told || told.magic != POOL || told.device >= FACET_POOL_DEVICES)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_device((int)told.device) == NULL) {
        facet_say("a pool cannot be imported: it is of a device that this process does not see");
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = facet_segment_device((int)told.device);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_pool *pool = facet_pool_create((int)told.device);
    if (pool == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pool->imported = true;
    memcpy(pool->name, told.name, sizeof pool->name);
    *handle = (CUmemoryPool)pool;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    if (data == NULL || !facet_memory_find(address, &found) || found.address != address || found.pool == NULL || !found.pool->shared)
        return CUDA_ERROR_INVALID_VALUE;
    struct told_pointer told = {.magic = POINTER, .pool = {found.pool->name[0], found.pool->name[1]}};
    result = facet_share_name(&found, told.name);
    told.place = facet_share_place(&found);
    if (result == CUDA_SUCCESS)
        memcpy(data, &told, sizeof told);
    return result;
}

CUresult facet_cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool handle, CUmemPoolPtrExportData *data)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (address == NULL || data == NULL || !pool->imported)
        return CUDA_ERROR_INVALID_VALUE;
    struct told_pointer told;
    memcpy(&told, data, sizeof told);
    if (told.magic != POINTER || memcmp(told.pool, pool->name, sizeof told.pool) != 0)
        return CUDA_ERROR_INVALID_VALUE; /* of another pool: programs try one after the other */
    uint64_t chosen = 0;
    result = facet_share_open(told.name, told.place, true, &chosen);
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen;
    return result == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE : result;
}

bool facet_pool_shared_freed(struct facet_context *context, uint64_t address, CUresult *result)
{
    struct facet_context *owner = facet_context_of_address(address);
    if (owner == NULL) {
        *result = facet_share_close(true, address);
        return *result == CUDA_SUCCESS;
    }
    struct facet_allocation found;
    if (!facet_memory_find(address, &found) || found.address != address || found.pool == NULL || !found.pool->shared || found.bytes == 0)
        return false;
    *result = facet_share_freed(address) ? CUDA_ERROR_INVALID_VALUE : facet_context_rest(context);
    if (*result == CUDA_SUCCESS && owner != context)
        *result = facet_context_rest(owner);
    if (*result != CUDA_SUCCESS)
        return true;
    facet_share_reap();
    if (facet_share_end(owner, address)) /* else others have it open: it is freed when they have not */
        *result = facet_memory_give(owner, address);
    return true;
}
