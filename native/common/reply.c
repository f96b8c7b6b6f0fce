/* Slots for the calls that wait at the moment, and the waiting. */
#include <sched.h>

#include "futex.h"
#include "session.h"

/* A call that the host answers at once takes a few microseconds; sleeping and being woken takes some
 * fifty. One that waits for a kernel takes longer than anybody should spin. */
enum { SPIN_LEAST = 1000, SPIN_MOST = 30000, WORTH_SPINNING = 60000 }; /* nanoseconds */

#define TALKATIVE UINT64_C(1000000000) /* nanoseconds after which somebody wants to know more */

static _Atomic uint64_t taken;   /* a bit for each slot */
static _Atomic uint32_t waiters; /* for a free slot */
static uint32_t released;        /* futex: changes when a slot gets free */
static _Atomic uint32_t patience = SPIN_MOST;

static int try_claim(void)
{
    uint64_t bits = atomic_load_explicit(&taken, memory_order_relaxed);
    while (~bits != 0) {
        int slot = __builtin_ctzll(~bits);
        if (atomic_compare_exchange_weak(&taken, &bits, bits | UINT64_C(1) << slot))
            return slot;
    }
    return -1;
}

int facet_reply_claim(void)
{
    _Static_assert(FACET_REPLY_SLOTS == 64, "the slots are the bits of a word");
    int slot = try_claim();
    if (slot < 0) {
        atomic_fetch_add(&waiters, 1);
        for (;;) {
            uint32_t seen = __atomic_load_n(&released, __ATOMIC_ACQUIRE);
            slot = try_claim();
            if (slot >= 0 || !facet_session_look())
                break;
            facet_futex_wait(&released, seen, FACET_LOOK_NANOSECONDS);
        }
        atomic_fetch_sub(&waiters, 1);
    }
    if (slot >= 0)
        __atomic_store_n(&facet_session.replies[slot].state, FACET_REPLY_PENDING, __ATOMIC_RELAXED);
    return slot;
}

bool facet_reply_plenty(void)
{
    return __builtin_popcountll(atomic_load_explicit(&taken, memory_order_relaxed)) < FACET_REPLY_SLOTS / 2;
}

void facet_reply_release(int slot)
{
    __atomic_store_n(&facet_session.replies[slot].state, FACET_REPLY_FREE, __ATOMIC_RELAXED);
    atomic_fetch_and(&taken, ~(UINT64_C(1) << slot));
    if (atomic_load(&waiters) != 0) {
        __atomic_fetch_add(&released, 1, __ATOMIC_RELEASE);
        facet_futex_wake(&released);
    }
}

static bool done(struct facet_reply_slot *reply)
{
    return __atomic_load_n(&reply->state, __ATOMIC_ACQUIRE) == FACET_REPLY_DONE;
}

/* Spins as long as it paid off lately. */
static bool spin(struct facet_reply_slot *reply, uint64_t start)
{
    uint64_t end = start + atomic_load_explicit(&patience, memory_order_relaxed);
    for (;;) {
        for (int i = 0; i < 16; i++) {
            if (done(reply))
                return true;
            facet_pause();
        }
        if (facet_nanoseconds() >= end)
            return false;
        /* Host and device need cores too; where none is wanted this costs half a microsecond. */
        sched_yield();
    }
}

static void learn(uint64_t waited)
{
    uint32_t old = atomic_load_explicit(&patience, memory_order_relaxed);
    uint32_t new = waited < WORTH_SPINNING ? old + old / 4 : old - old / 4;
    new = new < SPIN_LEAST ? SPIN_LEAST : new > SPIN_MOST ? SPIN_MOST : new;
    if (new != old)
        atomic_store_explicit(&patience, new, memory_order_relaxed);
}

bool facet_reply_await(int slot, int32_t *result, uint64_t *payload)
{
    struct facet_reply_slot *reply = &facet_session.replies[slot];
    uint64_t start = facet_nanoseconds();
    if (!spin(reply, start)) {
        uint32_t pending = FACET_REPLY_PENDING;
        __atomic_compare_exchange_n(&reply->state, &pending, FACET_REPLY_SLEEPING, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
        while (!done(reply)) {
            facet_futex_wait(&reply->state, FACET_REPLY_SLEEPING, FACET_LOOK_NANOSECONDS);
            /* The slot stays taken when the daemon is gone: a late answer must not hit another call. */
            if (!done(reply) && !facet_session_look() && !done(reply))
                return false;
            if (facet_nanoseconds() - start > TALKATIVE)
                facet_output_flush(); /* why it takes so long */
        }
        learn(facet_nanoseconds() - start);
    }
    *result = reply->result;
    for (int i = 0; payload != NULL && i < 6; i++)
        payload[i] = reply->payload[i];
    facet_reply_release(slot);
    return true;
}
