/* Memory that commands under way read from. It is taken back when they are known to have ended. */
#include <stdlib.h>

#include "arena.h"
#include "context.h"
#include "memory.h"

struct facet_staged {
    struct facet_staged *next;
    uint64_t address;
    uint64_t stamp; /* waits for the context that had begun when its command was in the ring */
};

/* With the lock held. */
static void reclaim(struct facet_context *context)
{
    struct facet_staged **link = &context->staged;
    while (*link != NULL) {
        struct facet_staged *staged = *link;
        if (!facet_waited(context, staged->stamp)) {
            link = &staged->next;
            continue;
        }
        struct facet_allocation *allocation = facet_arena_find(context->allocations, staged->address);
        context->staged_bytes -= allocation->extent;
        facet_memory_return(context, allocation);
        *link = staged->next;
        free(staged);
    }
}

uint64_t facet_staging_most(void)
{
    return (UINT64_C(64) << 20) / facet_context_living();
}

CUresult facet_staging_take(struct facet_context *context, uint64_t bytes, uint64_t *address)
{
    pthread_mutex_lock(&context->lock);
    reclaim(context);
    bool much = context->staged != NULL && context->staged_bytes + bytes > facet_staging_most();
    pthread_mutex_unlock(&context->lock);
    if (much) {
        CUresult result = facet_context_settle(context);
        if (result != CUDA_SUCCESS)
            return result;
        pthread_mutex_lock(&context->lock);
        reclaim(context);
        pthread_mutex_unlock(&context->lock);
    }
    return facet_memory_take(context, bytes, FACET_MEMORY_STAGING, address);
}

void facet_staging_sent(struct facet_context *context, uint64_t address)
{
    struct facet_staged *staged = malloc(sizeof *staged);
    if (staged == NULL) {
        facet_context_settle(context);
        facet_memory_give(context, address);
        return;
    }
    pthread_mutex_lock(&context->lock);
    staged->address = address;
    staged->stamp = atomic_load(&context->waits.begun);
    staged->next = context->staged;
    context->staged = staged;
    context->staged_bytes += facet_arena_find(context->allocations, address)->extent;
    pthread_mutex_unlock(&context->lock);
}

void facet_staging_forget(struct facet_context *context)
{
    while (context->staged != NULL) {
        struct facet_staged *staged = context->staged;
        context->staged = staged->next;
        free(staged);
    }
    context->staged_bytes = 0;
}
