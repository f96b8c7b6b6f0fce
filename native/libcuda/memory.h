/* Between the files that give out and find memory. */
#ifndef FACET_MEMORY_H
#define FACET_MEMORY_H

#include "context.h"

/* Memory of a kind (FACET_MEMORY_*), its address chosen here; counted where the kind says so. */
CUresult facet_memory_take(struct facet_context *context, uint64_t bytes, uint32_t kind, uint64_t *address);
CUresult facet_memory_give(struct facet_context *context, uint64_t address);
/* Whether memory of a kind counts against the slice. */
static inline bool facet_memory_counts(uint32_t kind)
{
    return kind == FACET_MEMORY_DEVICE || kind == FACET_MEMORY_MANAGED;
}

struct facet_allocation {
    uint64_t address; /* where it starts */
    uint64_t bytes;   /* as the program asked; 0 while it waits in a pool to be used again */
    uint64_t extent;  /* what it takes of the slice */
    uint32_t kind;
    uint32_t flags; /* as the program gave them */
    struct facet_context *context;
    struct facet_pool *pool; /* that it came from, or NULL */
    void *host;     /* for registered memory: where the program sees it */
    uint64_t buffer; /* CU_POINTER_ATTRIBUTE_BUFFER_ID */
    bool reserved;   /* an address alone: neither counted nor known to the host (reserve.h) */
    bool synchronous; /* CU_POINTER_ATTRIBUTE_SYNC_MEMOPS; kept for the program */
    bool mapped;      /* no context's: at an address of the program's choice, mapped.h */
    int device;       /* then: where it lies */
    unsigned handle_types;
};

/* A module was loaded: its variables may be anywhere. */
struct facet_module;
void facet_memory_variables(const struct facet_module *module);

/* The allocation that includes an address (device address, or host address of registered memory). */
bool facet_memory_find(uint64_t address, struct facet_allocation *found);

/* The managed allocation that has all of the bytes, at least one; CUDA_ERROR_INVALID_VALUE when there is none. */
CUresult facet_memory_managed(uint64_t address, uint64_t bytes, struct facet_allocation *found);

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
/* Freed bytes of the context that the system does not have back yet. */
uint64_t facet_memory_returning(struct facet_context *context);

/* Changes the record of the allocation in a context's memory that includes an address. */
bool facet_memory_change(uint64_t address, void (*change)(struct facet_allocation *allocation, const void *data), const void *data);

/* Where one side of a copy lies. */
struct facet_side {
    struct facet_context *context; /* NULL: memory of the program that the device does not see */
    uint64_t address;              /* in that context */
    uint32_t kind;
    bool far;   /* it cannot be touched from here */
    bool moves; /* the host may move it: facet_touch_begin before it is touched from here */
    bool mapped; /* far, and every context's that has the right: facet_side_in says whose */
};

/* CUDA_ERROR_INVALID_VALUE when the bytes are not all in one allocation. */
CUresult facet_memory_side(uint64_t address, uint64_t bytes, struct facet_side *side);

/* Which context's commands touch it. */
static inline void facet_side_in(struct facet_side *side, struct facet_context *context)
{
    if (side->mapped)
        side->context = context;
}

/* staging.c: memory for data on its way. After the command that reads it has been posted it is handed
 * over with facet_staging_sent and comes back by itself. */
uint64_t facet_staging_most(void); /* what a context may have under way: the session's is for all of them */
CUresult facet_staging_take(struct facet_context *context, uint64_t bytes, uint64_t *address);
void facet_staging_sent(struct facet_context *context, uint64_t address);
void facet_staging_forget(struct facet_context *context);

/* Whether everything that was in the ring when the number was read has ended. */
static inline bool facet_waited(const struct facet_context *context, uint64_t waits_begun)
{
    return waits_begun < atomic_load(&context->waits.ended) || facet_context_idle(context);
}

#endif
