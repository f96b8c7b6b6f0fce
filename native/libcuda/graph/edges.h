#ifndef FACET_GRAPH_EDGES_H
#define FACET_GRAPH_EDGES_H

#include "../objects.h"

struct facet_node;

/* Nodes that something depends on, or that depend on it, and how. */
struct facet_edge {
    struct facet_node *node;
    CUgraphEdgeData data;
};

struct facet_edges {
    struct facet_edge *all;
    uint32_t count, capacity;
};

#endif
