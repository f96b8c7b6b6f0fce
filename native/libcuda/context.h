/* Contexts: those who make, find, wait for and end them.
 *
 * Locks, in this order: primary contexts, a pool's, a context's, that of the hints, the command ring's. The last three
 * are never held while waiting for a reply. */
#ifndef FACET_CONTEXT_H
#define FACET_CONTEXT_H

#include "objects.h"

struct facet_arena; /* arena.h: best-fit allocator over the addresses of a context */

/* Waits, numbered: what was posted before one began has ended when it has. */
struct facet_waits {
    _Atomic uint64_t begun, ended;
};

static inline uint64_t facet_waits_begin(struct facet_waits *waits)
{
    return atomic_fetch_add(&waits->begun, 1) + 1;
}

static inline void facet_waits_end(struct facet_waits *waits, uint64_t wait)
{
    uint64_t old = atomic_load(&waits->ended);
    while (old < wait && !atomic_compare_exchange_weak(&waits->ended, &old, wait))
        continue;
}

struct facet_context {
    struct facet_object object;
    int device;
    unsigned flags;
    uint64_t base;  /* device addresses are [base, base + bytes), mapped here at the same place */
    uint64_t own;   /* of which [base, base + own) is the host's, and the rest ours to give out */
    uint64_t bytes;
    int memory;        /* descriptor of the memory */
    bool far;          /* what is mapped are only managed, pinned and staging memory: others go by commands */
    _Atomic uint64_t unique; /* cuCtxGetId; another one after each end of the context */
    _Atomic bool live; /* false for a primary context that nobody holds */
    bool primary;
    _Atomic int references; /* of the primary context */
    _Atomic int attached;   /* by cuCtxAttach, not counting who made it */
    pthread_mutex_t lock;
    struct facet_arena *allocations;
    uint64_t trim_from; /* freed memory with pages is looked through when there is more of it */
    _Atomic uint64_t posted;  /* asynchronous stream commands sent */
    _Atomic uint64_t settled; /* how many of them were waited for */
    struct facet_waits waits;        /* for the whole context */
    struct facet_waits legacy_waits; /* for the legacy stream */
    struct facet_staged *staged;  /* memory that commands under way read from */
    uint64_t staged_bytes;
    uint64_t limits[16];      /* by CUlimit */
    int cache_config;
    int shared_config;
    _Atomic uint64_t peers[FACET_CONTEXTS]; /* by context: the unique number of one whose memory kernels may access */
    _Atomic uint64_t lent[FACET_CONTEXTS];  /* the same, because a pool's memory is open to its device */
};

/* context_memory.c */

/* Makes the context at the host and maps its memory. The object's device and flags are set. */
CUresult facet_context_start(struct facet_context *context);
/* Ends it there and forgets here what belonged to it; the object itself stays. */
void facet_context_stop(struct facet_context *context);

/* The one of a number that has memory, or NULL. */
struct facet_context *facet_context_numbered(uint32_t id);

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

/* The calling thread's current context in *context. CUDA_ERROR_INVALID_CONTEXT when there is none,
 * its fault when it has one, an error of the session when the daemon is gone. */
CUresult facet_context_current(struct facet_context **context);
/* Same, without looking at the fault: for calls that must work on a broken context. */
struct facet_context *facet_context_peek(void);
/* The fault of a context, or CUDA_SUCCESS. */
CUresult facet_context_fault(const struct facet_context *context);
/* Waits for everything of the context; afterwards posted == settled. */
CUresult facet_context_settle(struct facet_context *context);
/* Waits if anything is under way. Not for calls that must report what went wrong in streams. */
CUresult facet_context_rest(struct facet_context *context);
/* Whether nothing asynchronous is under way, as far as known here without asking. */
bool facet_context_idle(const struct facet_context *context);
/* Called after a wait that ended all that was posted up to this number. Non-blocking streams are not
 * ended by a wait for the legacy stream. */
void facet_context_settled(struct facet_context *context, uint64_t posted);
/* The context whose addresses include this one, or NULL. */
struct facet_context *facet_context_of_address(uint64_t address);

/* forget.c */

/* Called by whoever destroys a context, before its own entry goes: frees its streams, events,
 * modules, functions and host functions here. Sends nothing. */
void facet_context_forget(struct facet_context *context);

#endif
