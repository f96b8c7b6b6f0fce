/* What is freed in a stream stays in its pool: the same stream may use it again at once, others when
 * everything before the free is known to have ended. */
#include "pool.h"

#include <stdlib.h>

#include "arena.h"
#include "memory.h"
#include "pool_calls.h"
#include "stream.h"

struct block {
    struct facet_tree_node node; /* by size, then address */
    struct facet_allocation *allocation;
    struct facet_context *context;    /* whose memory it is */
    struct facet_context *freed_in;   /* whose stream it was freed in, which may be another device's; NULL when that has ended */
    const struct facet_stream *stream; /* that it was freed in, NULL for the legacy stream; may be gone: see unique */
    uint64_t unique;
    uint64_t stamp;       /* waits for the context that had begun at that time */
    uint64_t stream_stamp; /* and for the stream */
};

static _Atomic uint64_t idle_total; /* of all pools: mostly 0, and then there is nothing to look for */

static struct block *first(struct facet_pool *pool, uint64_t bytes)
{
    struct facet_tree_node *node = facet_tree_from(&pool->idle, bytes, 0);
    return node == NULL ? NULL : FACET_OWNER(node, struct block, node);
}

static struct block *following(struct facet_pool *pool, const struct block *block)
{
    struct facet_tree_node *node = facet_tree_from(&pool->idle, block->node.key, block->node.second + 1);
    return node == NULL ? NULL : FACET_OWNER(node, struct block, node);
}

static uint64_t unique_of(const struct facet_stream *stream)
{
    return stream == NULL ? 0 : stream->unique;
}

/* Whether all that was before the free has ended: its stream was waited for since, or everything was. */
static bool rests(const struct block *block)
{
    const struct facet_context *context = block->freed_in;
    if (context == NULL)
        return true;
    const struct facet_waits *waits = block->stream == NULL ? &context->legacy_waits : &block->stream->waits;
    bool known = unique_of(block->stream) == block->unique;
    return (known && block->stream_stamp < atomic_load(&waits->ended)) || facet_waited(context, block->stamp);
}

static struct facet_allocation *take_out(struct facet_pool *pool, struct block *block)
{
    struct facet_allocation *allocation = block->allocation;
    facet_tree_remove(&pool->idle, &block->node);
    pool->idle_bytes -= allocation->extent;
    idle_total -= allocation->extent;
    free(block);
    return allocation;
}

/* A block that is not much too large, and free for this stream. With the pool's lock held. */
static struct facet_allocation *reuse(struct facet_pool *pool, struct facet_context *context, const struct facet_stream *stream, uint64_t bytes)
{
    uint64_t extent = facet_arena_extent(bytes);
    uint64_t most = extent + extent / 8;
    bool opportunistic = pool->reuse[CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] != 0;
    for (struct block *block = first(pool, extent); block != NULL && block->node.key <= most; block = following(pool, block))
        if (block->context == context && ((block->freed_in == context && block->unique == unique_of(stream)) || (opportunistic && rests(block))))
            return take_out(pool, block);
    return NULL;
}

static void count(struct facet_pool *pool, uint64_t used, uint64_t reserved)
{
    pool->used += used;
    pool->reserved += reserved;
    pool->used_high = pool->used > pool->used_high ? pool->used : pool->used_high;
    pool->reserved_high = pool->reserved > pool->reserved_high ? pool->reserved : pool->reserved_high;
}

/* Unlocks a pool. One that the program destroyed ends when nothing of it is left, in use or idle. */
static void leave(struct facet_pool *pool)
{
    bool over = pool->closing && !pool->over && pool->reserved == 0 && pool->coming == 0;
    if (over)
        pool->over = true;
    pthread_mutex_unlock(&pool->lock); /* which another thread may still want: it is never destroyed */
    if (over)
        facet_object_destroy(pool);
}

static bool fits(struct facet_pool *pool, uint64_t extent)
{
    pthread_mutex_lock(&pool->lock);
    uint64_t held = pool->reserved + pool->coming;
    bool fits = pool->most == 0 || (held <= pool->most && extent <= pool->most - held);
    if (fits)
        pool->coming += extent;
    pthread_mutex_unlock(&pool->lock);
    return fits;
}

/* Whether the pool may hold so much more. What is idle in it makes room first. */
static bool reserve(struct facet_pool *pool, struct facet_context *context, uint64_t extent)
{
    if (fits(pool, extent))
        return true;
    if (extent > pool->most || pool->idle_bytes == 0 || facet_context_settle(context) != CUDA_SUCCESS)
        return false;
    facet_pool_shrink(pool, 0);
    return fits(pool, extent);
}

CUresult facet_pool_take(struct facet_pool *pool, struct facet_context *context, const struct facet_stream *stream, uint64_t bytes, uint64_t *address)
{
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&pool->lock);
    struct facet_allocation *allocation = reuse(pool, context, stream, bytes);
    if (allocation != NULL) {
        count(pool, allocation->extent, 0);
        pthread_mutex_lock(&context->lock);
        allocation->bytes = bytes;
        allocation->buffer = facet_memory_next_buffer();
        *address = allocation->address;
        pthread_mutex_unlock(&context->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    if (allocation != NULL)
        return CUDA_SUCCESS;
    uint64_t extent = facet_arena_extent(bytes);
    if (bytes > context->bytes || !reserve(pool, context, extent))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = facet_memory_allocate(context, &(struct facet_wanted){.bytes = bytes, .kind = FACET_MEMORY_DEVICE, .pool = pool}, address);
    pthread_mutex_lock(&pool->lock);
    if (result == CUDA_SUCCESS)
        count(pool, extent, extent);
    pool->coming -= extent;
    pthread_mutex_unlock(&pool->lock);
    return result;
}

CUresult facet_pool_give(struct facet_context *context, const struct facet_stream *stream, uint64_t address)
{
    struct facet_allocation found;
    if (!facet_memory_find(address, &found) || found.address != address || found.pool == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_pool *pool = found.pool;
    struct facet_context *owner = found.context;
    struct block *block = malloc(sizeof *block);
    if (block == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&pool->lock);
    pthread_mutex_lock(&owner->lock);
    struct facet_allocation *allocation = facet_arena_find(owner->allocations, address);
    if (allocation != NULL && (allocation->bytes == 0 || allocation->pool != pool))
        allocation = NULL; /* freed already, perhaps by another thread just now */
    if (allocation != NULL)
        allocation->bytes = 0;
    pthread_mutex_unlock(&owner->lock);
    if (allocation != NULL) {
        *block = (struct block){
            .node = {.key = allocation->extent, .second = address},
            .allocation = allocation,
            .context = owner,
            .freed_in = context,
            .stream = stream,
            .unique = unique_of(stream),
            .stamp = atomic_load(&context->waits.begun),
            .stream_stamp = atomic_load(stream == NULL ? &context->legacy_waits.begun : &stream->waits.begun),
        };
        facet_tree_insert(&pool->idle, &block->node);
        pool->used -= allocation->extent;
        pool->idle_bytes += allocation->extent;
        idle_total += allocation->extent;
    }
    pthread_mutex_unlock(&pool->lock);
    if (allocation == NULL)
        free(block);
    return allocation == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

void facet_pool_taken_back(struct facet_pool *pool, uint64_t bytes)
{
    pthread_mutex_lock(&pool->lock);
    pool->used -= bytes;
    pool->reserved -= bytes;
    leave(pool);
}

/* Gives back blocks that have come to rest until no more than this is idle. */
void facet_pool_shrink(struct facet_pool *pool, uint64_t keep)
{
    pthread_mutex_lock(&pool->lock);
    struct block *next;
    for (struct block *block = first(pool, 0); block != NULL && pool->idle_bytes > keep; block = next) {
        next = following(pool, block);
        struct facet_context *context = block->context;
        if (!rests(block))
            continue;
        struct facet_allocation *allocation = take_out(pool, block);
        pool->reserved -= allocation->extent;
        pthread_mutex_lock(&context->lock);
        facet_memory_return(context, allocation);
        pthread_mutex_unlock(&context->lock);
    }
    leave(pool);
}

/* Of what a pool holds it keeps so much: what is in use, and idle blocks up to that. */
void facet_pool_trim_to(struct facet_pool *pool, uint64_t keep)
{
    pthread_mutex_lock(&pool->lock);
    uint64_t used = pool->used;
    pthread_mutex_unlock(&pool->lock);
    facet_pool_shrink(pool, keep > used ? keep - used : 0);
}

static void shrink_to_threshold(void *object, void *data)
{
    struct facet_pool *pool = object;
    (void)data;
    if (pool->idle_bytes != 0)
        facet_pool_trim_to(pool, pool->threshold);
}

bool facet_pool_waits(void)
{
    return idle_total != 0;
}

void facet_pool_settled(void)
{
    if (idle_total != 0)
        facet_object_each(FACET_POOL, NULL, shrink_to_threshold, NULL);
}

static void shrink_to_nothing(void *object, void *data)
{
    (void)data;
    facet_pool_shrink(object, 0);
}

/* The wait alone may have given back what is over the thresholds: what counts is what has become of all. */
bool facet_pool_trim(struct facet_context *context)
{
    uint64_t before = idle_total;
    if (before == 0 || facet_context_settle(context) != CUDA_SUCCESS)
        return false;
    facet_object_each(FACET_POOL, NULL, shrink_to_nothing, NULL);
    return idle_total < before;
}

static void forget(void *object, void *data)
{
    struct facet_pool *pool = object;
    pthread_mutex_lock(&pool->lock);
    struct block *next;
    for (struct block *block = first(pool, 0); block != NULL; block = next) {
        next = following(pool, block);
        if (block->context == data)
            pool->reserved -= take_out(pool, block)->extent;
        else if (block->freed_in == data)
            block->freed_in = NULL;
    }
    leave(pool);
}

void facet_pool_forget(struct facet_context *context)
{
    facet_object_each(FACET_POOL, NULL, forget, context);
}
