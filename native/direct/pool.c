#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "books.h"
#include "client.h"
#include "slice.h"
#include "time.h"
#include "vendor.h"
#include "work.h"

enum { POOLS_MOST = 256, NOWHERE = -1, ON_HOST = -2 };

/* One entry a pool that was allocated from. */
struct pool {
    CUmemoryPool pool; /* NULL: free */
    int device;        /* of the slice; ON_HOST: none of it counts */
    uint64_t charged;
    bool destroyed; /* lives on in what was allocated of it, and tells nothing any more */
};

static struct pool pools[POOLS_MOST];
static _Atomic int pool_count; /* entries in use lie below it */
static _Atomic int destroyed_count;
static struct {
    _Atomic bool used;
    CUdevice vendor;
    uint64_t charged;
} graphs[FACET_VISIBLE_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Makes the charge what is really held. spare: so much of the difference has been taken before; what is left of it goes back. False, and nothing has changed
 * but that spare was given back, when there is not enough and it may fail. */
static bool adjust(int device, uint64_t *charged, uint64_t held, uint64_t spare, bool may_fail)
{
    uint64_t wanted = facet_slice_rounded(held), paid = *charged + spare;
    if (wanted > paid) {
        if (!may_fail) {
            facet_ledger_force(device, wanted - paid);
        } else if (facet_ledger_take(device, wanted - paid, 0) == false &&
                   facet_wait_direct_claim(0, wanted - paid, (uint32_t)facet_device_number(device)) != CUDA_SUCCESS) {
            facet_slice_give(device, spare);
            return false;
        }
    } else {
        facet_slice_give(device, paid - wanted);
    }
    *charged = wanted;
    return true;
}

static bool held_by(CUmemoryPool pool, uint64_t *held)
{
    cuuint64_t value = 0;
    bool told = facet_vendor.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value) == CUDA_SUCCESS;
    *held = value;
    return told;
}

static struct pool *find(CUmemoryPool pool)
{
    for (int i = 0; i < pool_count; i++)
        if (pools[i].pool == pool && !pools[i].destroyed)
            return &pools[i];
    return NULL;
}

static struct pool *add(CUmemoryPool pool, int device)
{
    struct pool *place = find(NULL);
    if (place == NULL && pool_count < POOLS_MOST)
        place = &pools[pool_count++];
    if (place != NULL)
        *place = (struct pool){.pool = pool, .device = device};
    return place;
}

static void settle_locked(void)
{
    uint64_t held;
    for (int i = 0; i < pool_count; i++)
        if (pools[i].pool != NULL && pools[i].device >= 0 && !pools[i].destroyed && held_by(pools[i].pool, &held))
            adjust(pools[i].device, &pools[i].charged, held, 0, false);
    for (int i = 0; i < FACET_VISIBLE_MOST; i++) {
        cuuint64_t value;
        if (graphs[i].used &&
            facet_vendor.cuDeviceGetGraphMemAttribute(graphs[i].vendor, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &value) == CUDA_SUCCESS)
            adjust(i, &graphs[i].charged, value, 0, false);
    }
}

static bool any(void)
{
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) > 0)
        return true;
    for (int i = 0; i < facet_slice_devices() && i < FACET_VISIBLE_MOST; i++)
        if (atomic_load_explicit(&graphs[i].used, memory_order_relaxed))
            return true;
    return false;
}

void facet_pools_settle(void)
{
    if (!any() || !facet_session_alive())
        return;
    pthread_mutex_lock(&lock);
    settle_locked();
    pthread_mutex_unlock(&lock);
}

/* The entry of the destroyed pool that an allocation is of, and its bytes; NULL: of none. */
static struct pool *remainder_of(CUdeviceptr address, size_t *bytes)
{
    CUmemoryPool pool;
    CUdeviceptr base;
    if (facet_vendor.cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address) != CUDA_SUCCESS ||
        facet_vendor.cuMemGetAddressRange_v2(&base, bytes, address) != CUDA_SUCCESS)
        return NULL;
    for (int i = 0; i < pool_count; i++)
        if (pools[i].pool == pool && pools[i].destroyed)
            return &pools[i];
    return NULL;
}

CUresult facet_pools_free(CUdeviceptr address, CUstream stream, CUresult (*free_it)(CUdeviceptr address, CUstream stream))
{
    if (atomic_load_explicit(&destroyed_count, memory_order_relaxed) == 0) {
        CUresult result = free_it(address, stream);
        facet_pools_settle();
        return result;
    }
    size_t bytes = 0;
    pthread_mutex_lock(&lock);
    struct pool *pool = remainder_of(address, &bytes);
    CUresult result = free_it(address, stream);
    if (result == CUDA_SUCCESS && pool != NULL) {
        uint64_t less = facet_slice_rounded(bytes);
        less = less < pool->charged ? less : pool->charged;
        facet_slice_give(pool->device, less);
        pool->charged -= less;
        if (pool->charged == 0) {
            *pool = (struct pool){0};
            destroyed_count--;
        }
    }
    if (facet_session_alive())
        settle_locked();
    pthread_mutex_unlock(&lock);
    return result;
}

/* Where an allocation is: of the slice's devices, or on the host. */
static int place_of(CUdeviceptr address)
{
    unsigned int type = 0;
    int ordinal = 0;
    if (facet_vendor.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST)
        return ON_HOST;
    if (facet_vendor.cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) != CUDA_SUCCESS)
        return NOWHERE;
    return facet_slice_number(ordinal);
}

/* How a call allocates. pool: NULL for the one of the stream's device. */
struct request {
    bool per_thread;
    CUdeviceptr *address;
    size_t bytes;
    CUmemoryPool pool;
    CUstream stream;
};

static CUresult call(const struct request *request)
{
    if (request->pool == NULL)
        return (request->per_thread ? facet_vendor.cuMemAllocAsync_ptsz : facet_vendor.cuMemAllocAsync)(request->address, request->bytes,
                                                                                                        request->stream);
    return (request->per_thread ? facet_vendor.cuMemAllocFromPoolAsync_ptsz : facet_vendor.cuMemAllocFromPoolAsync)(request->address, request->bytes,
                                                                                                                    request->pool, request->stream);
}

static void undo(const struct request *request)
{
    (request->per_thread ? facet_vendor.cuMemFreeAsync_ptsz : facet_vendor.cuMemFreeAsync)(*request->address, request->stream);
}

/* What the pool has and has not handed out: enough for a request, it need not grow. */
static bool has_room(CUmemoryPool pool, uint64_t bytes)
{
    cuuint64_t used = 0;
    uint64_t held;
    return held_by(pool, &held) && facet_vendor.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS &&
           held >= used && held - used >= bytes;
}

static CUresult reserve(const struct facet_where *where, CUmemoryPool pool, uint64_t bytes, uint64_t *reserved)
{
    *reserved = bytes;
    if (bytes <= facet_ledger_limit(where->device) && facet_ledger_take(where->device, bytes, 0))
        return CUDA_SUCCESS;
    *reserved = 0;
    if (has_room(pool, bytes))
        return CUDA_SUCCESS;
    settle_locked();
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (bytes <= facet_ledger_limit(where->device))
        result = facet_ledger_take(where->device, bytes, 0) ? CUDA_SUCCESS
                                                            : facet_wait_direct_claim(0, bytes, (uint32_t)facet_device_number(where->device));
    *reserved = result == CUDA_SUCCESS ? bytes : 0;
    return result;
}

static CUresult allocate(struct request *request)
{
    struct facet_where where;
    CUstream stream = request->stream == NULL && request->per_thread ? CU_STREAM_PER_THREAD : request->stream;
    CUresult result = facet_slice_check();
    if (result == CUDA_SUCCESS)
        result = facet_where(&where);
    if (result != CUDA_SUCCESS || facet_time_captured(stream)) /* a node of a graph, which takes memory when it is launched */
        return result != CUDA_SUCCESS ? result : call(request);
    CUmemoryPool pool = request->pool;
    uint64_t bytes = facet_slice_rounded(request->bytes), reserved = 0, held = 0;
    pthread_mutex_lock(&lock);
    if (pool == NULL)
        result = facet_vendor.cuDeviceGetMemPool(&pool, where.vendor);
    struct pool *known = result == CUDA_SUCCESS ? find(pool) : NULL;
    if (known == NULL || known->device != ON_HOST)
        result = result != CUDA_SUCCESS ? result : reserve(&where, pool, bytes, &reserved);
    if (result == CUDA_SUCCESS && (result = call(request)) != CUDA_SUCCESS)
        facet_slice_give(where.device, reserved);
    if (result == CUDA_SUCCESS) {
        bool elsewhere = request->pool == NULL && request->stream != NULL && facet_slice_devices() > 1;
        CUmemoryPool real;
        if (elsewhere && facet_vendor.cuPointerGetAttribute(&real, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, *request->address) == CUDA_SUCCESS &&
            real != pool) {
            pool = real; /* the stream is one of another device */
            known = find(pool);
        }
        if (known == NULL)
            known = add(pool, place_of(*request->address));
        if (known == NULL || known->device == NOWHERE) {
            result = CUDA_ERROR_OUT_OF_MEMORY;
            facet_slice_give(where.device, reserved);
        } else if (known->device == ON_HOST) {
            facet_slice_give(where.device, reserved);
        } else {
            if (known->device != where.device) {
                facet_slice_give(where.device, reserved);
                reserved = 0;
            }
            if (!held_by(pool, &held))
                held = known->charged + bytes;
            if (!adjust(known->device, &known->charged, held, reserved, true))
                result = CUDA_ERROR_OUT_OF_MEMORY;
        }
        if (result != CUDA_SUCCESS)
            undo(request);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_direct_cuMemAllocAsync(bool per_thread, CUdeviceptr *address, size_t bytes, CUstream stream)
{
    struct request request = {.per_thread = per_thread, .address = address, .bytes = bytes, .stream = stream};
    return allocate(&request);
}

CUresult facet_direct_cuMemAllocFromPoolAsync(bool per_thread, CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    struct request request = {.per_thread = per_thread, .address = address, .bytes = bytes, .pool = pool, .stream = stream};
    if (pool == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    return allocate(&request);
}

static CUresult free_plain(CUdeviceptr address, CUstream stream)
{
    return facet_vendor.cuMemFreeAsync(address, stream);
}

static CUresult free_per_thread(CUdeviceptr address, CUstream stream)
{
    return facet_vendor.cuMemFreeAsync_ptsz(address, stream);
}

/* Also frees what cuMemAlloc gave, and memory of pools of other processes. */
CUresult facet_direct_cuMemFreeAsync(bool per_thread, CUdeviceptr address, CUstream stream)
{
    struct facet_booked entry;
    if (!facet_book_remove(FACET_BOOKED_MEMORY, address, &entry) && !facet_book_remove(FACET_BOOKED_IMPORT, address, &entry))
        return facet_pools_free(address, stream, per_thread ? free_per_thread : free_plain);
    CUresult result = (per_thread ? free_per_thread : free_plain)(address, stream);
    if (result == CUDA_SUCCESS)
        facet_slice_give(entry.device, entry.bytes);
    else
        facet_book(&entry);
    return result;
}

CUresult facet_direct_cuMemPoolTrimTo(CUmemoryPool pool, size_t kept)
{
    CUresult result = facet_vendor.cuMemPoolTrimTo(pool, kept);
    facet_pools_settle();
    return result;
}

/* What was allocated of it lives on until it is freed, and stays charged; but nobody can ask the pool any more. */
CUresult facet_direct_cuMemPoolDestroy(CUmemoryPool pool)
{
    cuuint64_t used = 0;
    pthread_mutex_lock(&lock);
    struct pool *known = find(pool);
    bool told = known != NULL && facet_vendor.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS;
    CUresult result = facet_vendor.cuMemPoolDestroy(pool);
    if (result == CUDA_SUCCESS && known != NULL) {
        if (known->device >= 0)
            adjust(known->device, &known->charged, told ? used : known->charged, 0, false);
        if (known->charged > 0) {
            known->destroyed = true;
            destroyed_count++;
        } else {
            *known = (struct pool){0};
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void facet_pools_lock(void)
{
    pthread_mutex_lock(&lock);
}

void facet_pools_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void facet_pools_forget(void)
{
    memset(pools, 0, sizeof pools);
    pool_count = 0;
    destroyed_count = 0;
    for (int i = 0; i < FACET_VISIBLE_MOST; i++) {
        graphs[i].used = false;
        graphs[i].charged = 0;
    }
}

/* Of what the device holds for graphs and has not handed out, a launch takes first. */
CUresult facet_graphs_reserve(int device, CUdevice vendor, uint64_t bytes, uint64_t *reserved)
{
    cuuint64_t held = 0, used = 0;
    if (facet_vendor.cuDeviceGetGraphMemAttribute(vendor, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &held) == CUDA_SUCCESS &&
        facet_vendor.cuDeviceGetGraphMemAttribute(vendor, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS && held >= used)
        bytes = bytes > held - used ? bytes - (held - used) : 0;
    *reserved = bytes;
    return facet_slice_take(device, bytes);
}

void facet_graphs_settle(int device, CUdevice vendor, uint64_t reserved)
{
    cuuint64_t value;
    pthread_mutex_lock(&lock);
    graphs[device].used = true;
    graphs[device].vendor = vendor;
    if (facet_vendor.cuDeviceGetGraphMemAttribute(vendor, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &value) == CUDA_SUCCESS)
        adjust(device, &graphs[device].charged, value, reserved, false);
    else
        graphs[device].charged += reserved;
    pthread_mutex_unlock(&lock);
}
