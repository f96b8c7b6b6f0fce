/* How long the blocks of a kernel took lately, and so how many of them make a part of a launch after which others may have the device. Read by any
 * thread; written with the lock of a device held. */
#ifndef FACET_DIRECT_PACE_H
#define FACET_DIRECT_PACE_H

#include <stdatomic.h>
#include <stdint.h>

/* Nanoseconds that a part is to take; two of them are with the driver at a time. */
#define FACET_PART 1500000

struct facet_pace {
    _Atomic int64_t block;     /* picoseconds of one, among others; 0: not known */
    _Atomic uint64_t last;     /* blocks that were measured together */
    _Atomic uint32_t launches; /* so far, about */
};

/* Blocks of the next part, of so many that are left. */
uint64_t facet_pace_next(const struct facet_pace *pace, uint64_t left, uint64_t multiprocessors);
/* Nanoseconds that so many blocks are thought to take; 0: not known. */
int64_t facet_pace_estimate(const struct facet_pace *pace, uint64_t blocks);
void facet_pace_learn(struct facet_pace *pace, uint64_t blocks, double nanoseconds);

#endif
