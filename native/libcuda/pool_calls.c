#include "pool_calls.h"

#include "graph/capture.h"
#include "stream.h"

enum { DEVICES = FACET_POOL_DEVICES };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_pool *standard[DEVICES]; /* each device's own */
static struct facet_pool *chosen[DEVICES];   /* by cuDeviceSetMemPool */

struct facet_pool *facet_pool_create(int device)
{
    struct facet_pool *pool = facet_object_create(FACET_POOL, NULL);
    if (pool == NULL)
        return NULL;
    pool->device = device;
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    pool->access[device] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

static CUresult of_device(CUdevice device, bool current, struct facet_pool **pool)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (facet_device(device) == NULL || device >= DEVICES)
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (standard[device] == NULL) {
        standard[device] = facet_pool_create(device);
        if (standard[device] != NULL)
            standard[device]->standard = true;
    }
    *pool = current && chosen[device] != NULL ? chosen[device] : standard[device];
    pthread_mutex_unlock(&lock);
    return *pool == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult facet_pool_named(CUmemoryPool handle, struct facet_pool **pool)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *pool = facet_object(handle, FACET_POOL);
    return *pool == NULL || (*pool)->closing ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetDefaultMemPool(CUmemoryPool *handle, CUdevice device)
{
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_pool *pool;
    CUresult result = of_device(device, false, &pool);
    if (result == CUDA_SUCCESS)
        *handle = (CUmemoryPool)pool;
    return result;
}

CUresult facet_cuDeviceGetMemPool(CUmemoryPool *handle, CUdevice device)
{
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_pool *pool;
    CUresult result = of_device(device, true, &pool);
    if (result == CUDA_SUCCESS)
        *handle = (CUmemoryPool)pool;
    return result;
}

CUresult facet_cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle)
{
    struct facet_pool *present, *pool;
    CUresult result = of_device(device, false, &present);
    if (result == CUDA_SUCCESS)
        result = facet_pool_named(handle, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (pool->device != device || pool->imported)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    chosen[device] = pool;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Of the places that memory may lie in, only devices have pools here, of memory of their own. */
static CUresult pool_device(const CUmemLocation *location, CUmemAllocationType type, const char *call, CUdevice *device)
{
    if (location == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return facet_unsupported(call);
    *device = location->id;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemGetDefaultMemPool(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    CUdevice device = 0;
    CUresult result = pool_device(location, type, "cuMemGetDefaultMemPool of host or managed memory", &device);
    return result == CUDA_SUCCESS ? facet_cuDeviceGetDefaultMemPool(handle, device) : result;
}

CUresult facet_cuMemGetMemPool(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    CUdevice device = 0;
    CUresult result = pool_device(location, type, "cuMemGetMemPool of host or managed memory", &device);
    return result == CUDA_SUCCESS ? facet_cuDeviceGetMemPool(handle, device) : result;
}

CUresult facet_cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool handle)
{
    CUdevice device = 0;
    CUresult result = pool_device(location, type, "cuMemSetMemPool of host or managed memory", &device);
    return result == CUDA_SUCCESS ? facet_cuDeviceSetMemPool(device, handle) : result;
}

CUresult facet_cuMemPoolCreate(CUmemoryPool *handle, const CUmemPoolProps *properties)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL || properties == NULL || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    bool shared = properties->handleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE && !shared)
        return facet_unsupported("cuMemPoolCreate for handles that are not file descriptors");
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return facet_unsupported("cuMemPoolCreate of host memory");
    if (properties->win32SecurityAttributes != NULL || properties->usage != 0)
        return CUDA_ERROR_INVALID_VALUE;
    int device = properties->location.id;
    if (facet_device(device) == NULL || device >= DEVICES)
        return CUDA_ERROR_INVALID_DEVICE;
    struct facet_pool *pool = facet_pool_create(device);
    if (pool == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pool->most = properties->maxSize;
    if (shared) {
        result = facet_pool_name(pool);
        if (result != CUDA_SUCCESS) {
            facet_object_destroy(pool);
            return result;
        }
    }
    *handle = (CUmemoryPool)pool;
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPoolDestroy(CUmemoryPool handle)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result != CUDA_SUCCESS)
        return result;
    if (pool->standard)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_context *context = facet_context_peek();
    if (context != NULL && pool->idle_bytes != 0)
        facet_context_settle(context);
    pthread_mutex_lock(&lock);
    bool again = pool->closing; /* another thread was first */
    pool->closing = true;
    for (int i = 0; i < DEVICES; i++)
        if (chosen[i] == pool)
            chosen[i] = NULL;
    pthread_mutex_unlock(&lock);
    if (again)
        return CUDA_ERROR_INVALID_VALUE;
    pool->threshold = 0; /* what is in use goes back when it is freed and waited for */
    facet_pool_shrink(pool, 0);
    return CUDA_SUCCESS;
}

CUresult facet_cuMemPoolTrimTo(CUmemoryPool handle, size_t keep)
{
    struct facet_pool *pool;
    CUresult result = facet_pool_named(handle, &pool);
    if (result == CUDA_SUCCESS)
        facet_pool_trim_to(pool, keep);
    return result;
}

/* The pool that a program names for work of a context; NULL: it cannot be used there. */
static struct facet_pool *usable(CUmemoryPool handle, const struct facet_context *context)
{
    struct facet_pool *pool = facet_object(handle, FACET_POOL);
    return pool == NULL || pool->closing || pool->imported || pool->device != context->device ? NULL : pool;
}

/* named: NULL for the pool of the stream's device. */
static CUresult allocate(bool per_thread, CUdeviceptr *address, size_t bytes, const CUmemoryPool *named, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    struct facet_pool *pool = NULL;
    uint64_t chosen_address;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS && facet_capturing(stream) && address != NULL)
        return facet_capture_allocate(context, stream, bytes, address);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsupported(context, stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (named != NULL)
        pool = usable(*named, context);
    if (address == NULL || (named != NULL && pool == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    if (named == NULL)
        result = of_device(context->device, true, &pool);
    if (result == CUDA_SUCCESS)
        result = facet_pool_take(pool, context, stream, bytes, &chosen_address);
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen_address;
    return result;
}

CUresult facet_cuMemAllocAsync(bool per_thread, CUdeviceptr *address, size_t bytes, CUstream handle)
{
    return allocate(per_thread, address, bytes, NULL, handle);
}

CUresult facet_cuMemAllocFromPoolAsync(bool per_thread, CUdeviceptr *address, size_t bytes, CUmemoryPool pool_handle, CUstream handle)
{
    return allocate(per_thread, address, bytes, &pool_handle, handle);
}

CUresult facet_cuMemFreeAsync(bool per_thread, CUdeviceptr address, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS && facet_capturing(stream))
        return facet_capture_free(stream, address);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsupported(context, stream);
    if (result != CUDA_SUCCESS || address == 0)
        return result;
    if (facet_graph_memory_freed(address, &result))
        return result;
    if (facet_pool_shared_freed(context, address, &result))
        return result;
    return facet_pool_give(context, stream, address);
}
