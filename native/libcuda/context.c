/* Which context a thread works in, and how far its work has come. */
#include "context.h"

#include <string.h>

#include "pool.h"
#include "stream.h"

enum { DEPTH = 128 };

struct entry {
    struct facet_context *context;
    uint64_t unique; /* tells that the context is another one by now */
};

static _Thread_local struct {
    unsigned depth;
    struct entry entries[DEPTH];
} stack;

uint64_t facet_context_next_unique(void)
{
    static _Atomic uint64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

static const uint64_t default_limits[] = {
    [CU_LIMIT_STACK_SIZE] = 1024,          [CU_LIMIT_PRINTF_FIFO_SIZE] = FACET_OUTPUT_BYTES,   [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
    [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2, [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048, [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
};

struct facet_context *facet_context_create(int device, unsigned flags)
{
    struct facet_context *context = facet_object_create(FACET_CONTEXT, NULL);
    if (context == NULL)
        return NULL;
    context->object.context = context;
    context->device = device;
    context->flags = flags;
    context->unique = facet_context_next_unique();
    context->memory = -1;
    memcpy(context->limits, default_limits, sizeof default_limits);
    pthread_mutex_init(&context->lock, NULL);
    return context;
}

static struct facet_context *entry_context(const struct entry *entry)
{
    struct facet_context *context = facet_object(entry->context, FACET_CONTEXT);
    /* A primary context stays the same one when it is reset. */
    return context != NULL && (context->primary || context->unique == entry->unique) ? context : NULL;
}

struct facet_context *facet_context_handle(CUcontext handle)
{
    return facet_object(handle, FACET_CONTEXT);
}

struct facet_context *facet_context_peek(void)
{
    return stack.depth == 0 || !facet_session_alive() ? NULL : entry_context(&stack.entries[stack.depth - 1]);
}

CUresult facet_context_current(struct facet_context **context)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (stack.depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = entry_context(&stack.entries[stack.depth - 1]);
    if (*context == NULL)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!atomic_load_explicit(&(*context)->live, memory_order_acquire)) {
        result = facet_primary_wake(*context);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return facet_context_fault(*context);
}

CUresult facet_context_push(struct facet_context *context)
{
    if (stack.depth == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack.entries[stack.depth++] = (struct entry){.context = context, .unique = context->unique};
    return CUDA_SUCCESS;
}

CUresult facet_context_pop(struct facet_context **context)
{
    if (stack.depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = entry_context(&stack.entries[--stack.depth]);
    return CUDA_SUCCESS;
}

CUresult facet_context_bind(struct facet_context *context)
{
    if (stack.depth > 0)
        stack.depth--;
    return context == NULL ? CUDA_SUCCESS : facet_context_push(context);
}

CUresult facet_context_fault(const struct facet_context *context)
{
    return (CUresult)facet_context_status(context->object.id)->fault;
}

/* Equal counts mean that all have ended, if none was sent meanwhile. */
bool facet_context_idle(const struct facet_context *context)
{
    uint64_t posted = atomic_load(&context->posted);
    uint64_t retired = __atomic_load_n(&facet_context_status(context->object.id)->retired, __ATOMIC_ACQUIRE);
    return posted == retired && atomic_load(&context->posted) == posted;
}

uint32_t facet_context_id(const struct facet_context *context)
{
    return context->object.id;
}

uint32_t facet_stream_id(const struct facet_stream *stream)
{
    return stream == NULL ? 0 : stream->object.id;
}

/* Counted before the host can see it, so that nobody takes the context for idle meanwhile. */
void facet_command_post_in(struct facet_context *context, struct facet_stream *stream)
{
    uint64_t number = atomic_fetch_add(&context->posted, 1) + 1;
    if (stream != NULL)
        atomic_store_explicit(&stream->posted, number, memory_order_relaxed);
    facet_command_post();
}

/* The number alone is not enough: another thread may have counted a command that it had not yet put in the ring when
 * the wait began. */
void facet_context_settled(struct facet_context *context, uint64_t posted)
{
    if (facet_context_idle(context)) {
        uint64_t old = atomic_load(&context->settled);
        while (old < posted && !atomic_compare_exchange_weak(&context->settled, &old, posted))
            continue;
    }
    facet_pool_settled(); /* whatever others have posted meanwhile: what was freed before the wait has been waited for */
}

CUresult facet_context_settle(struct facet_context *context)
{
    /* Before the look at what was posted: what is stamped with an older number was posted before it, too. */
    uint64_t wait = facet_waits_begin(&context->waits);
    uint64_t posted = atomic_load(&context->posted);
    /* Waited for before, and nothing since: no error can be waiting either. */
    if (atomic_load(&context->settled) == posted && facet_context_idle(context)) {
        facet_output_flush();
        facet_waits_end(&context->waits, wait);
        facet_pool_settled();
        return facet_context_fault(context);
    }
    CUresult result = facet_wait_context_synchronize(context->object.id);
    if (result != CUDA_ERROR_DEVICE_UNAVAILABLE) {
        facet_waits_end(&context->waits, wait);
        facet_context_settled(context, posted);
    }
    return result;
}

CUresult facet_context_rest(struct facet_context *context)
{
    if (!facet_context_idle(context))
        return facet_context_settle(context);
    facet_output_flush();
    return facet_context_fault(context);
}
