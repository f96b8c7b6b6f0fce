#ifndef FACET_LAUNCH_H
#define FACET_LAUNCH_H

#include "module.h"

struct facet_launch {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared;
    bool cooperative;
};

/* What CUDA refuses at the call. */
CUresult facet_launch_check(const struct facet_launch *launch, const struct facet_function *function);

#endif
