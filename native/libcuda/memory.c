/* Memory of contexts: addresses are chosen here, the slice's ledger says how much. */
#include "memory.h"

#include <sys/mman.h>

#include "arena.h"
#include "pool.h"
#include "registered.h"

/* Of freed memory so much keeps its pages for what is allocated next: giving them back and getting them again costs
 * more than a copy. What is more goes back to the system, unless it is small. */
#define KEPT_MOST (UINT64_C(512) << 20)
#define WORTH_DROPPING (UINT64_C(1) << 20)

uint64_t facet_memory_next_buffer(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

/* With the lock held from choosing an address to posting it: what another thread frees and takes again
 * must reach the host in that order. */
static CUresult place(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address)
{
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_take(facet_context_arena(context, wanted->kind), wanted->bytes, wanted->alignment);
    CUresult result = allocation == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    if (allocation != NULL) {
        allocation->kind = wanted->kind;
        allocation->flags = wanted->flags;
        allocation->context = context;
        allocation->pool = wanted->pool;
        allocation->buffer = facet_memory_next_buffer();
        *address = allocation->address;
        context->kept -= allocation->extent < context->kept ? allocation->extent : context->kept;
        result = facet_post_allocate(context->object.id, allocation->address, allocation->extent, allocation->kind);
    }
    pthread_mutex_unlock(&context->lock);
    return result;
}

static CUresult claim_and_place(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address)
{
    uint64_t extent = facet_arena_extent(wanted->bytes);
    if (!facet_memory_counts(wanted->kind))
        return place(context, wanted, address);
    CUresult result = facet_ledger_claim(context->object.id, extent);
    if (result != CUDA_SUCCESS)
        return result;
    result = place(context, wanted, address);
    if (result != CUDA_SUCCESS)
        facet_ledger_release(extent);
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
    if (wanted->bytes > context->arena)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = claim_and_place(context, wanted, address);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && facet_pool_trim(context))
        result = claim_and_place(context, wanted, address);
    return result == CUDA_SUCCESS && wanted->kind == FACET_MEMORY_MANAGED ? make_room(context, *address) : result;
}

CUresult facet_memory_take(struct facet_context *context, uint64_t bytes, uint32_t kind, uint64_t *address)
{
    return facet_memory_allocate(context, &(struct facet_wanted){.bytes = bytes, .kind = kind}, address);
}

void facet_memory_return(struct facet_context *context, struct facet_allocation *allocation)
{
    uint64_t extent = allocation->extent;
    bool counts = facet_memory_counts(allocation->kind);
    if (context->kept + extent <= KEPT_MOST || extent < WORTH_DROPPING)
        context->kept += extent;
    else
        madvise((void *)(uintptr_t)((allocation->address + 4095) & ~UINT64_C(4095)), (extent - 4096) & ~UINT64_C(4095), MADV_REMOVE);
    facet_post_free(context->object.id, allocation->address);
    facet_arena_give(facet_context_arena(context, allocation->kind), allocation);
    if (counts)
        facet_ledger_release(extent);
}

CUresult facet_memory_give(struct facet_context *context, uint64_t address)
{
    pthread_mutex_lock(&context->lock);
    struct facet_allocation *allocation = facet_arena_find(facet_context_arena_at(context, address), address);
    bool found = allocation != NULL && allocation->address == address;
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
    struct facet_allocation *allocation = context->allocations == NULL ? NULL : facet_arena_find(facet_context_arena_at(context, address), address);
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
    struct facet_allocation *allocation = facet_arena_find(facet_context_arena_at(context, address), address);
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

bool facet_memory_find(uint64_t address, struct facet_allocation *found)
{
    struct facet_context *context = facet_context_of_address(address);
    if (context != NULL)
        return find_in(context, address, found) || find_variable(context, address, found);
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

CUresult facet_memory_side(uint64_t address, uint64_t bytes, struct facet_side *side)
{
    struct facet_allocation found;
    *side = (struct facet_side){0};
    struct facet_context *context = facet_context_of_address(address);
    if (context != NULL && address - context->base >= context->arena) {
        /* The host's part: variables of modules. It checks them itself. */
        *side = (struct facet_side){.context = context, .address = address, .kind = FACET_MEMORY_DEVICE};
        return bytes <= context->base + context->bytes - address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (context != NULL) {
        if (!find_in(context, address, &found) || bytes > found.address + found.bytes - address)
            return CUDA_ERROR_INVALID_VALUE;
        *side = (struct facet_side){.context = context, .address = address, .kind = found.kind, .moves = found.kind == FACET_MEMORY_DEVICE};
        return CUDA_SUCCESS;
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
