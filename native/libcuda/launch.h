#ifndef FACET_LAUNCH_H
#define FACET_LAUNCH_H

#include "module.h"

struct facet_launch {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared;
    bool cooperative;
    unsigned cluster[3]; /* 0: it names none */
};

/* Blocks that clusters have on every device that has clusters, and that they have at most. */
enum { FACET_PORTABLE_CLUSTER = 8, FACET_MOST_CLUSTER = 16 };

/* Reads the value of an attribute that names a cluster. */
void facet_launch_cluster(const CUlaunchAttributeValue *value, unsigned cluster[3]);
/* The cluster of a launch: what it names, or what the kernel or cuFuncSetAttribute says; 1,1,1 where nobody does. */
CUresult facet_cluster_of(const struct facet_launch *launch, const struct facet_function *function, unsigned cluster[3]);
/* Whether a cluster is allowed at all: as many blocks as that, on a device that has clusters. */
CUresult facet_cluster_check(const struct facet_function *function, const unsigned cluster[3]);

/* What CUDA refuses at the call. */
CUresult facet_launch_check(const struct facet_launch *launch, const struct facet_function *function);

#endif
