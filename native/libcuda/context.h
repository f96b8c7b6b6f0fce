/* Between the files that make, find and end contexts. */
#ifndef FACET_CONTEXT_H
#define FACET_CONTEXT_H

#include "client.h"

/* context_memory.c */

/* Makes the context at the host and maps its memory. The object's device and flags are set. */
CUresult facet_context_start(struct facet_context *context);
/* Ends it there and forgets here what belonged to it; the object itself stays. */
void facet_context_stop(struct facet_context *context);

/* How many contexts of this process have memory; at least 1. */
uint32_t facet_context_living(void);

/* One way of waiting at most, and nothing unknown. */
static inline bool facet_context_flags_valid(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    return (flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0 && (schedule & (schedule - 1)) == 0;
}

/* context.c */

uint64_t facet_context_next_unique(void);
/* A new object, not started. */
struct facet_context *facet_context_create(int device, unsigned flags);
CUresult facet_context_push(struct facet_context *context);
CUresult facet_context_pop(struct facet_context **context);
/* Replaces the thread's current context; NULL pops it. */
CUresult facet_context_bind(struct facet_context *context);
/* A living context from a handle; NULL when there is none. */
struct facet_context *facet_context_handle(CUcontext handle);

/* primary.c */

/* Brings a primary context to life that somebody holds. */
CUresult facet_primary_wake(struct facet_context *context);

#endif
