/* Executable graphs: a copy of a graph of their own, and the steps that the host was told. docs/graphs.md */
#ifndef FACET_GRAPH_EXEC_H
#define FACET_GRAPH_EXEC_H

#include "graph.h"

enum { FACET_GRAPH_LANES = 4 };

/* A copy that a thread of the program makes, because the device does not reach one side. */
struct facet_transfer {
    struct facet_box box;
    struct facet_context *device; /* whose memory is touched, or NULL */
};

/* What a step needs here while launches may be under way. */
struct facet_keep {
    uint64_t token; /* of a host function; 0: none */
    uint64_t staging;
    struct facet_transfer *transfer;
};

/* A command of the list that the host runs. */
struct facet_step {
    struct facet_node *node; /* of the executable's own graph */
    uint32_t part;           /* of what the node does */
    uint32_t block, index;   /* where the host keeps it */
    uint32_t lane, waits;
    struct facet_keep keep;
};

struct facet_exec {
    struct facet_object object; /* its number is the host's too; the context that it runs in */
    uint64_t unique;            /* of the context */
    struct facet_graph *graph;
    struct facet_graph *source; /* that it was made from, if that has conditional nodes */
    uint64_t source_serial;
    cuuint64_t flags;
    struct facet_step *steps;
    uint32_t count, capacity;
    uint32_t blocks; /* lists of steps: the graph's own, and one for each body of a conditional node */
    bool has_memory, has_events;
};

/* ---- exec.c */

static inline struct facet_exec *facet_exec_of(CUgraphExec handle)
{
    return facet_object(handle, FACET_EXEC);
}
/* Whether its context is still the one that it was made for. */
bool facet_exec_living(const struct facet_exec *exec);
/* Gives a node of the executable, named by the node it is a copy of, other parameters. */
CUresult facet_exec_change(CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *params);
/* Tells the host of all steps of a node anew. */
CUresult facet_exec_send(struct facet_exec *exec, struct facet_node *node);

/* ---- plan.c: which steps there are, in which lanes. Fills in steps. */
CUresult facet_exec_plan(struct facet_exec *exec, CUgraphNode *wrong);
/* How many steps a node takes. */
uint32_t facet_steps_of(const struct facet_node *node);

/* ---- step.c */

/* Tells the host what a step does. */
CUresult facet_step_send(struct facet_exec *exec, struct facet_step *step);

/* ---- keep.c: what steps have, until nobody needs it */

void facet_keep_end(struct facet_context *context, uint64_t unique, struct facet_keep *keep);
void facet_keep_sweep(void);

/* ---- params.c */

CUresult facet_node_change(struct facet_node *node, const CUgraphNodeParams *params);

/* ---- attributes.c */

CUresult facet_attribute_set(struct facet_node_kernel *kernel, unsigned id, const CUlaunchAttributeValue *value);
bool facet_kernel_cooperative(const struct facet_node_kernel *kernel);
/* The cluster that a node names, kept in the given place where it is its own; NULL: none. */
const unsigned *facet_kernel_cluster(const struct facet_node_kernel *kernel, unsigned cluster[3]);

#endif
