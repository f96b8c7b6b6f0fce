/* A launch of a kernel on its way to the driver. */
#ifndef FACET_DIRECT_LAUNCH_H
#define FACET_DIRECT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "facet_cuda.h"
#include "twins.h"

/* In whichever way it came. */
struct facet_launch {
    bool per_thread;
    const CUlaunchConfig *config; /* NULL: it has no attributes */
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    CUstream stream;
    void **parameters, **extra;
};

static inline CUstream facet_launch_stream(const struct facet_launch *launch)
{
    return launch->stream == NULL && launch->per_thread ? CU_STREAM_PER_THREAD : launch->stream;
}

static inline uint64_t facet_launch_blocks(const struct facet_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* launch.c: gives blocks to the driver, of a grid of this size, without asking for a turn. */
CUresult facet_launch_give(const struct facet_launch *launch, CUfunction function, const unsigned int size[3], void **parameters, void **extra);
/* As the program has it, when it is its turn. */
CUresult facet_launch_whole(const struct facet_launch *launch);

/* parts.c: by the twin. of_library: the program's handle is a CUkernel. */
CUresult facet_launch_in_parts(const struct facet_launch *launch, struct facet_twin *twin, bool of_library);
uint64_t facet_multiprocessors(void);

#endif
