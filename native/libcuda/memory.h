/* Between the files that give out and find memory. */
#ifndef FACET_MEMORY_H
#define FACET_MEMORY_H

#include "client.h"

struct facet_wanted {
    uint64_t bytes;
    uint64_t alignment; /* 0: as every allocation */
    uint32_t kind;
    uint32_t flags;
    struct facet_pool *pool;
};

CUresult facet_memory_allocate(struct facet_context *context, const struct facet_wanted *wanted, uint64_t *address);
/* Gives back an allocation that nobody uses any more. With the context's lock held. */
void facet_memory_return(struct facet_context *context, struct facet_allocation *allocation);
uint64_t facet_memory_next_buffer(void);

/* Changes the record of the allocation in a context's memory that includes an address. */
bool facet_memory_change(uint64_t address, void (*change)(struct facet_allocation *allocation, const void *data), const void *data);

/* Where one side of a copy lies. */
struct facet_side {
    struct facet_context *context; /* NULL: memory of the program that the device does not see */
    uint64_t address;              /* in that context */
    uint32_t kind;
    bool moves; /* the host may move it: facet_touch_begin before it is touched from here */
};

/* CUDA_ERROR_INVALID_VALUE when the bytes are not all in one allocation. */
CUresult facet_memory_side(uint64_t address, uint64_t bytes, struct facet_side *side);

/* staging.c: memory for data on its way. After the command that reads it has been posted it is handed
 * over with facet_staging_sent and comes back by itself. */
#define FACET_STAGING_MOST (UINT64_C(64) << 20)
CUresult facet_staging_take(struct facet_context *context, uint64_t bytes, uint64_t *address);
void facet_staging_sent(struct facet_context *context, uint64_t address);
void facet_staging_forget(struct facet_context *context);

/* Whether everything that was in the ring when the number was read has ended. */
static inline bool facet_waited(const struct facet_context *context, uint64_t waits_begun)
{
    return waits_begun < atomic_load(&context->waits_ended) || facet_context_idle(context);
}

#endif
