#include "futex.h"
#include "stress.h"

enum { MOST_NANOSECONDS = 40000 };

_Atomic uint32_t stress_stops = STRESS_STOPS;

void stress_spin(uint64_t nanoseconds)
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
    /* Spins: who sleeps on a busy machine comes back much later. */
    if (draw % atomic_load_explicit(&stress_stops, memory_order_relaxed) == 0)
        stress_spin((draw >> 32) % MOST_NANOSECONDS);
}
