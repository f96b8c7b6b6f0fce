/* Memory pools: what cuMemAllocAsync takes from and cuMemFreeAsync gives back to.
 *
 * A pool's lock comes before the context's lock. */
#ifndef FACET_POOL_H
#define FACET_POOL_H

#include "context.h"
#include "tree.h"

struct facet_pool {
    struct facet_object object;
    int device;
    pthread_mutex_t lock;
    struct facet_tree idle; /* blocks that were freed and may be used again, by size */
    uint64_t threshold;     /* bytes that stay when everything has ended */
    int reuse[3];           /* CU_MEMPOOL_ATTR_REUSE_*; kept for the program */
    _Atomic uint64_t idle_bytes;
    uint64_t used, used_high;
    uint64_t reserved, reserved_high;
    bool standard; /* the device's own: cannot be destroyed */
    bool closing;  /* destroyed by the program while memory of it is in use */
};

/* Nothing of the context is under way: blocks above the thresholds go back to the slice. */
void facet_pool_settled(struct facet_context *context);
/* The context is going: what the pools keep of it is forgotten. */
void facet_pool_forget(struct facet_context *context);
/* Whether blocks were given back, for an allocation that found no room. */
bool facet_pool_trim(struct facet_context *context);
/* The pool that an allocation came from was told of its end by cuMemFree. */
void facet_pool_taken_back(struct facet_pool *pool, uint64_t bytes);

#endif
