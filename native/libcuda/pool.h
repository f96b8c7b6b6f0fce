/* Memory pools: what cuMemAllocAsync takes from and cuMemFreeAsync gives back to.
 *
 * A pool's lock comes before the context's lock. */
#ifndef FACET_POOL_H
#define FACET_POOL_H

#include "context.h"
#include "tree.h"

enum { FACET_POOL_DEVICES = 64 };

struct facet_pool {
    struct facet_object object;
    int device;
    pthread_mutex_t lock;
    struct facet_tree idle; /* blocks that were freed and may be used again, by size */
    _Atomic uint64_t threshold; /* bytes that it may hold when somebody has waited */
    uint64_t most;          /* bytes that it may hold; 0: no bound but the slice's */
    int reuse[3];           /* CU_MEMPOOL_ATTR_REUSE_*, from the first on */
    unsigned char access[FACET_POOL_DEVICES]; /* CU_MEM_ACCESS_FLAGS_PROT_* of each device */
    _Atomic uint64_t idle_bytes;
    uint64_t used, used_high;
    uint64_t reserved, reserved_high;
    uint64_t coming; /* bytes that are being taken for it */
    bool shared;   /* other processes may import it */
    bool imported; /* it is another process's: nothing is taken from it here */
    uint64_t name[2]; /* of these: that nobody guesses */
    bool standard; /* the device's own: cannot be destroyed */
    _Atomic bool closing; /* destroyed by the program; memory of it may still be in use */
    bool over;            /* and nothing of it is left */
};

/* Somebody has waited: what has come to rest goes back to the slice, as far as pools hold more than their thresholds. */
void facet_pool_settled(void);
/* Whether anything was freed to a pool: then it matters what has been waited for. Costs a load. */
bool facet_pool_waits(void);
/* A new context: pools that were opened to its device, or are of it, are open from the beginning. */
void facet_pool_open(struct facet_context *context);
/* The context is going: what the pools keep of it is forgotten. */
void facet_pool_forget(struct facet_context *context);
/* Whether blocks were given back, for an allocation that found no room. */
bool facet_pool_trim(struct facet_context *context);
/* The pool that an allocation came from was told of its end by cuMemFree. */
void facet_pool_taken_back(struct facet_pool *pool, uint64_t bytes);

#endif
