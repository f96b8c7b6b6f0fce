/* A context's memory: addresses are reserved here, pages come from the host. */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "context.h"
#include "host.h"
#include "memory.h"
#include "pool.h"
#include "quota.h"
#include "share.h"

/* Device addresses look like this; the device's windows for shared and local memory lie below. */
#define PLACE UINT64_C(0x700000000000)
#define PLACE_STEP (UINT64_C(1) << 36)
#define PLACE_LAST UINT64_C(0x7e0000000000)
#define RESERVE_MOST (UINT64_C(1) << 40)
#define RESERVE_LEAST (UINT64_C(1) << 28)

static struct facet_context *_Atomic living[FACET_CONTEXTS];
static _Atomic uint32_t living_end;

/* How much the host will want is not known before it answers: take much, give back the rest. */
static void *reserve(uint64_t hint, uint64_t *bytes)
{
    for (*bytes = RESERVE_MOST; *bytes >= RESERVE_LEAST; *bytes /= 2) {
        void *place = mmap((void *)(uintptr_t)hint, *bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (place != MAP_FAILED)
            return place;
    }
    return NULL;
}

/* Maps what the host made over the reservation. */
static CUresult map(struct facet_context *context, uint64_t reserved)
{
    struct stat status;
    context->memory = facet_session_receive_memory(context->object.id, &context->far);
    if (context->memory < 0 || fstat(context->memory, &status) != 0)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    void *base = (void *)(uintptr_t)context->base;
    if (context->bytes > reserved || context->bytes > (uint64_t)status.st_size || context->own >= context->bytes) {
        facet_say("no %llu GiB of address space for a context; raise the limit (`ulimit -v unlimited`)", (unsigned long long)(context->bytes >> 30));
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (mmap(base, context->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, context->memory, 0) == MAP_FAILED)
        return CUDA_ERROR_MAP_FAILED;
    madvise(base, context->bytes, MADV_HUGEPAGE); /* a hint; kernels without it say no */
    long page = sysconf(_SC_PAGESIZE);
    uint64_t used = (context->bytes + (uint64_t)page - 1) & ~((uint64_t)page - 1);
    if (used < reserved)
        munmap((char *)base + used, reserved - used);
    context->allocations = facet_arena_create(context->base + context->own, context->bytes - context->own);
    return context->allocations == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static void unmap(struct facet_context *context, uint64_t bytes)
{
    munmap((void *)(uintptr_t)context->base, bytes);
    if (context->memory >= 0)
        close(context->memory);
    if (context->allocations != NULL)
        facet_arena_destroy(context->allocations);
    context->memory = -1;
    context->allocations = NULL;
}

/* Where a vendor's driver executes several programs they have one space of addresses, and some are taken there. */
static CUresult create(struct facet_context *context, uint64_t *reserved)
{
    static _Atomic uint64_t last = PLACE;
    for (uint64_t hint = atomic_load(&last), tried = 0;; hint = hint >= PLACE_LAST ? PLACE : hint + PLACE_STEP, tried++) {
        void *base = reserve(hint, reserved);
        if (base == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        context->base = (uint64_t)(uintptr_t)base;
        CUresult result = facet_wait_context_create(context->object.id, (uint32_t)facet_device_number(context->device), context->flags, context->base,
                                                    &context->own, &context->bytes);
        if (result == CUDA_SUCCESS) {
            atomic_store(&last, hint);
            return result;
        }
        munmap(base, *reserved);
        if (result != CUDA_ERROR_ALREADY_MAPPED || tried > (PLACE_LAST - PLACE) / PLACE_STEP)
            return result;
    }
}

CUresult facet_context_start(struct facet_context *context)
{
    uint64_t reserved;
    uint32_t id = context->object.id;
    CUresult result = create(context, &reserved);
    if (result != CUDA_SUCCESS)
        return result;
    result = map(context, reserved);
    if (result != CUDA_SUCCESS) {
        unmap(context, reserved);
        facet_wait_context_destroy(id);
        return result;
    }
    uint64_t retired = facet_context_status(id)->retired;
    atomic_store(&context->posted, retired);
    atomic_store(&context->settled, retired);
    context->trim_from = 0;
    for (int i = 0; i < FACET_CONTEXTS; i++) {
        atomic_store(&context->peers[i], 0);
        atomic_store(&context->lent[i], 0);
    }
    atomic_store(&living[id], context);
    uint32_t end = atomic_load(&living_end);
    while (end <= id && !atomic_compare_exchange_weak(&living_end, &end, id + 1))
        continue;
    facet_ledger_context(context->device, 1);
    atomic_store_explicit(&context->live, true, memory_order_release);
    facet_pool_open(context);
    return CUDA_SUCCESS;
}

uint32_t facet_context_living(void)
{
    uint32_t count = 0, end = atomic_load_explicit(&living_end, memory_order_acquire);
    for (uint32_t i = 0; i < end; i++)
        count += atomic_load_explicit(&living[i], memory_order_relaxed) != NULL;
    return count == 0 ? 1 : count;
}

static void release(struct facet_allocation *allocation, void *data)
{
    if (!allocation->reserved)
        facet_quota_release(data, allocation->kind, allocation->extent);
    if (allocation->pool != NULL && allocation->bytes != 0)
        facet_pool_taken_back(allocation->pool, allocation->extent);
}

void facet_context_stop(struct facet_context *context)
{
    atomic_store(&context->live, false);
    context->unique = facet_context_next_unique(); /* whoever kept things of it by number finds them gone */
    facet_host_forget(context);
    facet_wait_context_destroy(context->object.id);
    facet_ledger_context(context->device, -1);
    facet_context_forget(context);
    facet_share_forget(context);
    facet_pool_forget(context);
    facet_staging_forget(context);
    atomic_store(&living[context->object.id], NULL);
    facet_arena_each(context->allocations, release, context);
    unmap(context, context->bytes);
}

struct facet_context *facet_context_numbered(uint32_t id)
{
    return id < FACET_CONTEXTS ? atomic_load_explicit(&living[id], memory_order_acquire) : NULL;
}

struct facet_context *facet_context_of_address(uint64_t address)
{
    uint32_t end = atomic_load_explicit(&living_end, memory_order_acquire);
    for (uint32_t i = 0; i < end; i++) {
        struct facet_context *context = atomic_load_explicit(&living[i], memory_order_acquire);
        if (context != NULL && address - context->base < context->bytes)
            return context;
    }
    return NULL;
}
