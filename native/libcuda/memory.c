/* Memory of contexts: addresses are chosen here, the slice's ledger says how much. */
#include "memory.h"

#include <sys/mman.h>

#include "arena.h"
#include "context.h"
#include "hints.h"
#include "mapped.h"
#include "module.h"
#include "pool.h"
#include "quota.h"
#include "registered.h"
#include "share.h"

uint64_t facet_memory_next_buffer(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

/* Pages of this program's memory go back to the system by the host; what is known of that here is looked up. */
static void note_returned(struct facet_context *context)
{
    facet_arena_returned(context->allocations, __atomic_load_n(&facet_context_status(context->object.id)->returned, __ATOMIC_ACQUIRE));
}

uint64_t facet_memory_returning(struct facet_context *context)
{
    pthread_mutex_lock(&context->lock);
    note_returned(context);
    uint64_t bytes = facet_arena_returning(context->allocations);
    pthread_mutex_unlock(&context->lock);
    return bytes;
}

static struct facet_allocation *take(struct facet_context *context, const struct facet_wanted *wanted)
{
    note_returned(context);
    return wanted->kind == FACET_MEMORY_DEVICE ? facet_arena_take(context->allocations, wanted->bytes, wanted->alignment)
                                               : facet_arena_take_apart(context->allocations, wanted->bytes, wanted->alignment);
}

/* With the lock held from choosing an address to posting it: what another thread frees and takes again
 * must reach the host in that order. */
static CUresult place(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address)
{
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = take(context, wanted);
    if (allocation == NULL && facet_arena_returning(context->allocations) != 0) {
        /* Addresses that may come back are waited for. */
        pthread_mutex_unlock(&context->lock);
        facet_quota_await_returns(context);
        pthread_mutex_lock(&context->lock);
        allocation = take(context, wanted);
    }
    CUresult result = allocation == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    if (allocation != NULL) {
        allocation->kind = wanted->kind;
        allocation->flags = wanted->flags;
        allocation->context = context;
        allocation->pool = wanted->pool;
        allocation->buffer = facet_memory_next_buffer();
        *address = allocation->address;
        result = facet_post_allocate(context->object.id, allocation->address, allocation->extent, allocation->kind);
    }
    pthread_mutex_unlock(&context->lock);
    return result;
}

static CUresult claim_and_place(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address)
{
    uint64_t extent = facet_arena_extent(wanted->bytes);
    CUresult result = facet_quota_claim(context, wanted->kind, extent, facet_memory_returning(context));
    if (result != CUDA_SUCCESS)
        return result;
    result = place(context, wanted, address);
    if (result != CUDA_SUCCESS)
        facet_quota_release(context, wanted->kind, extent);
    return result;
}

/* The program touches it without our knowing, so it must be on the device from now on. */
static CUresult make_room(struct facet_context *context, uint64_t address)
{
    CUresult result = facet_wait_touch(context->object.id);
    if (result != CUDA_SUCCESS)
        facet_memory_give(context, address);
    return result;
}

CUresult facet_memory_allocate(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address)
{
    if (wanted->bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->bytes > context->bytes - context->own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = claim_and_place(context, wanted, address);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && facet_pool_trim(context))
        result = claim_and_place(context, wanted, address);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && facet_share_reap())
        result = claim_and_place(context, wanted, address);
    return result == CUDA_SUCCESS && wanted->kind == FACET_MEMORY_MANAGED ? make_room(context, *address) : result;
}

CUresult facet_memory_take(struct facet_context *context, uint64_t bytes, uint32_t kind, uint64_t *address)
{
    return facet_memory_allocate(context, &(struct facet_wanted){.bytes = bytes, .kind = kind}, address);
}

/* So much goes back in a millisecond; its addresses can be used again at once. */
#define RETURN_AT_ONCE (UINT64_C(16) << 20)
enum { MOST_RETURNS = 64, MOST_FAR_RETURNS = 1024 };

static void return_now(uint64_t start, uint64_t bytes, void *data)
{
    (void)data;
    madvise((void *)(uintptr_t)start, bytes, MADV_REMOVE);
}

static void begin_return(uint64_t start, uint64_t bytes, uint64_t going, void *data)
{
    const struct facet_context *context = data;
    facet_post_return_pages(context->object.id, start, bytes, going);
}

/* Freed memory keeps its pages for what is allocated next: giving them back and getting them again costs more than a
 * copy. But only so much that the slice stays within its limit, about; docs/session-protocol.md. What is more goes back
 * to the system; much of it by the host: for gigabytes that takes a second. */
static void give(struct facet_context *context, struct facet_allocation *allocation)
{
    struct facet_returns returns = {.at_once = RETURN_AT_ONCE, .most = MOST_RETURNS, .now = return_now, .begin = begin_return, .data = context};
    if (context->far) { /* only the host can give the device's pages back */
        returns.at_once = 0;
        returns.most = MOST_FAR_RETURNS;
    }
    uint64_t most = facet_ledger_limit(context->device) / FACET_KEPT_PART / facet_context_living();
    note_returned(context);
    if (allocation->extent > most) {
        facet_arena_give_pages(context->allocations, allocation, &returns);
        return;
    }
    facet_arena_give(context->allocations, allocation);
    uint64_t kept = facet_arena_kept(context->allocations);
    if (kept <= most || kept <= context->trim_from)
        return;
    facet_arena_trim(context->allocations, most / 2, &returns);
    /* What lies on pages with other allocations stays; it is not looked for again at once. */
    kept = facet_arena_kept(context->allocations);
    context->trim_from = kept > most / 2 ? kept + most / 2 : 0;
}

void facet_memory_return(struct facet_context *context, struct facet_allocation *allocation)
{
    uint64_t extent = allocation->extent;
    uint32_t kind = allocation->kind;
    bool reserved = allocation->reserved;
    if (kind == FACET_MEMORY_MANAGED)
        facet_hints_forget(allocation->address, allocation->address + extent);
    if (!reserved)
        facet_post_free(context->object.id, allocation->address);
    give(context, allocation);
    if (!reserved)
        facet_quota_release(context, kind, extent);
}

CUresult facet_memory_give(struct facet_context *context, uint64_t address)
{
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_find(context->allocations, address);
    bool found = allocation != NULL && allocation->address == address && allocation->bytes != 0; /* 0: idle in a pool */
    struct facet_pool *pool = found ? allocation->pool : NULL;
    uint64_t extent = found ? allocation->extent : 0;
    if (found)
        facet_memory_return(context, allocation);
    pthread_mutex_unlock(&context->lock);
    if (pool != NULL)
        facet_pool_taken_back(pool, extent);
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool find_in(struct facet_context *context, uint64_t address, struct facet_allocation *found)
{
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = context->allocations == NULL ? NULL : facet_arena_find(context->allocations, address);
    if (allocation != NULL)
        *found = *allocation;
    pthread_mutex_unlock(&context->lock);
    return allocation != NULL;
}

bool facet_memory_change(uint64_t address, void (*change)(struct facet_allocation *allocation, const void *data), const void *data)
{
    struct facet_context *context = facet_context_of_address(address);
    if (context == NULL)
        return false;
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_find(context->allocations, address);
    if (allocation != NULL)
        change(allocation, data);
    pthread_mutex_unlock(&context->lock);
    return allocation != NULL;
}

struct variable_search {
    uint64_t address;
    struct facet_allocation *found;
    bool hit;
};

static void look_in_module(void *object, void *data)
{
    struct facet_module *module = object;
    struct variable_search *search = data;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct facet_variable_record *variable = &module->variables[i];
        if (search->address - variable->address < variable->bytes) {
            *search->found = (struct facet_allocation){
                .address = variable->address,
                .bytes = variable->bytes,
                .extent = variable->bytes,
                .kind = variable->managed ? FACET_MEMORY_MANAGED : FACET_MEMORY_DEVICE,
                .context = module->object.context,
            };
            search->hit = true;
        }
    }
}

static bool find_variable(struct facet_context *context, uint64_t address, struct facet_allocation *found)
{
    struct variable_search search = {.address = address, .found = found};
    facet_object_each(FACET_MODULE, context, look_in_module, &search);
    return search.hit;
}

static _Atomic bool variables_elsewhere; /* some are outside of their context's addresses: a vendor's driver has placed them */

void facet_memory_variables(const struct facet_module *module)
{
    const struct facet_context *context = module->object.context;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (module->variables[i].address - context->base >= context->bytes)
            atomic_store(&variables_elsewhere, true);
}

static bool find_elsewhere(uint64_t address, struct facet_allocation *found)
{
    return atomic_load_explicit(&variables_elsewhere, memory_order_relaxed) && find_variable(NULL, address, found);
}

bool facet_memory_find(uint64_t address, struct facet_allocation *found)
{
    struct facet_context *context = facet_context_of_address(address);
    if (context != NULL)
        return find_in(context, address, found) || find_variable(context, address, found);
    if (facet_mapped_allocation(address, found) || find_elsewhere(address, found))
        return true;
    struct facet_registered registered;
    if (!facet_registered_find(address, &registered))
        return false;
    uint64_t offset = registered.host - registered.page;
    *found = (struct facet_allocation){
        .address = registered.address == 0 ? 0 : registered.address + offset,
        .bytes = registered.bytes,
        .extent = registered.page_bytes,
        .kind = FACET_MEMORY_PINNED,
        .flags = registered.flags,
        .context = registered.context,
        .host = (void *)(uintptr_t)registered.host,
    };
    return true;
}

CUresult facet_memory_managed(uint64_t address, uint64_t bytes, struct facet_allocation *found)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    bool inside =
        bytes != 0 && facet_memory_find(address, found) && found->kind == FACET_MEMORY_MANAGED && bytes <= found->address + found->bytes - address;
    return inside ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_memory_side(uint64_t address, uint64_t bytes, struct facet_side *side)
{
    struct facet_allocation found;
    *side = (struct facet_side){0};
    struct facet_context *context = facet_context_of_address(address);
    if (context != NULL && address - context->base < context->own) {
        /* The host's part: variables of modules. It checks them itself. */
        *side = (struct facet_side){.context = context, .address = address, .kind = FACET_MEMORY_DEVICE, .far = context->far};
        return bytes <= context->base + context->own - address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (context != NULL) {
        if (!find_in(context, address, &found) || bytes > found.address + found.bytes - address)
            return CUDA_ERROR_INVALID_VALUE;
        bool device = found.kind == FACET_MEMORY_DEVICE;
        *side = (struct facet_side){
            .context = context, .address = address, .kind = found.kind, .far = device && context->far, .moves = device && !context->far};
        return CUDA_SUCCESS;
    }
    struct facet_mapping mapping;
    if (facet_mapped_find(address, &mapping)) {
        *side = (struct facet_side){.address = address, .kind = FACET_MEMORY_DEVICE, .far = true, .mapped = true};
        return facet_mapped_covers(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (find_elsewhere(address, &found)) {
        *side = (struct facet_side){.context = found.context, .address = address, .kind = FACET_MEMORY_DEVICE, .far = true};
        return bytes <= found.address + found.bytes - address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    struct facet_registered registered;
    if (facet_registered_find(address, &registered) && registered.address != 0 && bytes <= registered.host + registered.bytes - address)
        *side = (struct facet_side){
            .context = registered.context,
            .address = registered.address + (address - registered.page),
            .kind = FACET_MEMORY_PINNED,
        };
    return CUDA_SUCCESS;
}
