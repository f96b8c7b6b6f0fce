#include <sched.h>

#include "futex.h"
#include "session.h"
#include "stress.h"

enum { STOPS = 256, ALONE_STOPS = 8, MOST_NANOSECONDS = 40000 };

_Atomic bool stress_is_alone;

static void stress_spin(uint64_t nanoseconds)
{
    uint64_t end = facet_nanoseconds() + nanoseconds;
    while (facet_nanoseconds() < end)
        facet_pause();
}

/* Without steps.h: this one takes none. */
void stress_step(void);

void stress_step(void)
{
    static _Atomic uint64_t threads;
    static _Thread_local uint64_t drawn;
    if (drawn == 0)
        drawn = stress_mix(stress.seed + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed)) | 1;
    drawn += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t draw = stress_mix(drawn);
    if (atomic_load_explicit(&stress_is_alone, memory_order_relaxed)) {
        /* It reads what there is, and then nobody keeps it awake. */
        if (draw % ALONE_STOPS == 0)
            while (__atomic_load_n(&facet_session.commands->reader_sleeps, __ATOMIC_ACQUIRE) == 0)
                sched_yield();
    } else if (draw % STOPS == 0) {
        /* Spins: who sleeps on a busy machine comes back much later. */
        stress_spin((draw >> 32) % MOST_NANOSECONDS);
    }
}
