#include "pace.h"

enum {
    FIRST = 4,  /* of a kernel that was never seen a part is so many blocks for each multiprocessor */
    GROWTH = 4, /* from part to part it grows by no more: blocks may differ */
};

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

uint64_t facet_pace_next(const struct facet_pace *pace, uint64_t left, uint64_t multiprocessors)
{
    int64_t block = atomic_load_explicit(&pace->block, memory_order_relaxed);
    uint64_t first = FIRST * multiprocessors;
    if (block == 0)
        return smaller(left, first);
    uint64_t wanted = (uint64_t)FACET_PART * 1000 / (uint64_t)block, most = GROWTH * atomic_load_explicit(&pace->last, memory_order_relaxed);
    most = most < first ? first : most;
    wanted = wanted < multiprocessors ? multiprocessors : wanted; /* fewer than keep the device busy would not be quicker */
    return smaller(left, smaller(wanted, most));
}

int64_t facet_pace_estimate(const struct facet_pace *pace, uint64_t blocks)
{
    double all = (double)atomic_load_explicit(&pace->block, memory_order_relaxed) * (double)blocks / 1e3;
    return all > 1e12 ? (int64_t)1e12 : (int64_t)all;
}

void facet_pace_learn(struct facet_pace *pace, uint64_t blocks, double nanoseconds)
{
    double now = blocks == 0 ? 0 : 1e3 * nanoseconds / (double)blocks, before = (double)atomic_load_explicit(&pace->block, memory_order_relaxed);
    if (blocks == 0)
        return;
    now = before > 0 ? (before + now) / 2 : now;
    atomic_store_explicit(&pace->last, blocks, memory_order_relaxed);
    atomic_store_explicit(&pace->block, now < 1 ? 1 : now > 1e15 ? (int64_t)1e15 : (int64_t)now, memory_order_relaxed);
}
