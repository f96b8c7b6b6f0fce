/* Graphs as the program edits them: nodes with parameters, and edges.
 *
 * One lock guards all graphs, captures and executable graphs. It comes before every other lock of the library. Who
 * enters leaves with what the call answers; destructors of user objects run behind that. docs/graphs.md */
#ifndef FACET_GRAPH_H
#define FACET_GRAPH_H

#include "../copy.h"
#include "../module.h"
#include "edges.h"

enum {
    FACET_GRAPH_NODES = 1 << 16, /* most nodes of a graph with all that is nested in it */
    FACET_GRAPH_DEPTH = 32,      /* most graphs inside each other */
    FACET_GRAPH_BLOCKS = 1 << 10, /* most bodies of conditional nodes, and the graph itself */
    FACET_NODE_ATTRIBUTES = 20,  /* CUlaunchAttributeID below it are kept */
};

struct facet_graph;
struct facet_node;
struct facet_capture;

/* A launch, with arguments of its own. */
struct facet_node_kernel {
    CUfunction asked; /* as the program named it */
    struct facet_function *function;
    unsigned grid[3], block[3], shared;
    unsigned char *arguments; /* laid out by the PTX */
    void **pointers;          /* to each of them; one block of memory with the arguments */
    uint32_t bytes, count;    /* of the arguments */
    CUlaunchAttributeValue *attributes; /* by id, or NULL */
    uint32_t attributes_set;            /* bits by id */
};

struct facet_node_copy {
    CUDA_MEMCPY3D asked;
    struct facet_box box;
};

struct facet_node_fill {
    CUDA_MEMSET_NODE_PARAMS_v1 asked;
};

/* memory.c: an allocation of graphs. Its address is reserved as long as a node or an executable names it; it counts
 * against the slice from the first launch until it is trimmed. */
struct facet_graph_memory {
    int references;
    struct facet_context *context;
    uint64_t unique; /* of the context */
    uint64_t address, bytes;
    bool backed; /* counted, and the device may touch it */
    bool live;   /* a launch has allocated it, and nobody has freed it */
    struct facet_graph_memory *next;
};

/* conditional.c: a number in device memory that kernels set and the host looks at. The handle is its address. */
struct facet_condition {
    int references;
    struct facet_context *context;
    uint64_t unique;
    uint64_t address;
    unsigned value; /* at each launch, if it assigns */
    bool assigns;
    bool used; /* by a node */
    struct facet_condition *next; /* of the same graph */
};

struct facet_node_conditional {
    struct facet_condition *condition;
    CUgraphConditionalNodeType kind;
    unsigned size;
    CUgraph *bodies;
};

/* What a node does. */
struct facet_work {
    CUgraphNodeType type;
    struct facet_context *context; /* where it runs; NULL: it does not matter */
    union {
        struct facet_node_kernel kernel;
        struct facet_node_copy copy;
        struct facet_node_fill fill;
        CUDA_HOST_NODE_PARAMS_v1 host;
        struct facet_graph *child;
        CUevent event;
        struct facet_graph_memory *memory; /* of an allocation, and of a free of one */
        struct facet_node_conditional conditional;
    };
};

struct facet_node {
    struct facet_object object;
    struct facet_graph *graph;
    struct facet_node *previous, *next; /* in the order they were made */
    uint64_t serial;                    /* no other node ever has it */
    uint64_t origin;                    /* serial of the node that it is a copy of */
    struct facet_edges before, after;
    struct facet_work work;
    uint32_t mark;  /* for whoever walks through a graph */
    uint32_t steps; /* of an executable: number of its first step there */
    bool disabled;
};

/* user_object.c */
struct facet_user_object {
    struct facet_object object;
    void *data;
    CUhostFn destroy;
    uint64_t references;
    struct facet_user_object *due; /* the next one to be destroyed */
};

struct facet_graph {
    struct facet_object object;
    struct facet_node *first, *last;
    uint32_t count;
    struct facet_graph *parent; /* whose node it is a child or a body of; the program does not destroy it */
    bool body;                  /* of a conditional node */
    uint64_t serial;
    uint64_t origin;
    struct facet_condition *conditions;
    struct facet_held *held;       /* user objects */
    struct facet_capture *capture; /* that adds to it */
    int executables;               /* of a graph with conditional nodes: one at most */
};

/* ---- graph.c */

void facet_graph_enter(void);
CUresult facet_graph_leave(CUresult result);

struct facet_graph *facet_graph_new(void);
/* With its nodes and all that is nested. */
void facet_graph_free(struct facet_graph *graph);
/* A copy of its own. */
CUresult facet_graph_copy(const struct facet_graph *graph, struct facet_graph **copy);
/* All nodes, with those of nested graphs. */
uint32_t facet_graph_size(const struct facet_graph *graph);
uint32_t facet_graph_depth(const struct facet_graph *graph);
/* Whether there is a node of the type, also in nested graphs. */
bool facet_graph_has(const struct facet_graph *graph, CUgraphNodeType type);
/* The living ones; NULL when the handle is none. */
static inline struct facet_graph *facet_graph_of(CUgraph handle)
{
    return facet_object(handle, FACET_GRAPH);
}
static inline struct facet_node *facet_node_of(CUgraphNode handle)
{
    return facet_object(handle, FACET_NODE);
}
/* A copy of a node in a graph, also in nested ones. */
struct facet_node *facet_graph_find(const struct facet_graph *graph, uint64_t origin);

/* A node with what it does; the work is the node's from then on, also when there is no room for it. */
CUresult facet_node_new(struct facet_graph *graph, struct facet_work *work, struct facet_node **node);
void facet_node_free(struct facet_node *node);

/* ---- edges.c */

/* Whether these are nodes of the graph and the data is none that we do not know. */
CUresult facet_edges_check(const struct facet_graph *graph, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count);
CUresult facet_edge_add(struct facet_node *from, struct facet_node *to, const CUgraphEdgeData *data);
bool facet_edge_remove(struct facet_node *from, struct facet_node *to, const CUgraphEdgeData *data);
/* Adds one to the list alone. */
CUresult facet_edges_put(struct facet_edges *edges, struct facet_node *node, const CUgraphEdgeData *data);
/* Nodes in an order in which each comes behind what it depends on; false for a cycle or no memory. To be freed. */
bool facet_graph_order(const struct facet_graph *graph, struct facet_node ***order);

/* ---- work.c */

/* What the parameters say, checked. Of allocations, child graphs and conditional nodes something new is made, so only
 * where creating. */
CUresult facet_work_make(const CUgraphNodeParams *params, bool creating, struct facet_work *work);
CUresult facet_work_copy(const struct facet_work *work, struct facet_work *copy);
void facet_work_free(struct facet_work *work);
/* A launch as cuLaunchKernel was told of it. */
CUresult facet_work_launch(struct facet_context *context, const CUDA_KERNEL_NODE_PARAMS_v2 *params, struct facet_work *work);
void facet_work_copy_of(struct facet_context *context, const struct facet_box *box, struct facet_work *work);

/* ---- add.c */

CUresult facet_graph_add(struct facet_node **node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data, size_t count,
                         CUgraphNodeParams *params);

/* ---- memory.c */

CUresult facet_graph_memory_new(struct facet_context *context, uint64_t bytes, struct facet_graph_memory **memory);
void facet_graph_memory_drop(struct facet_graph_memory *memory);
struct facet_graph_memory *facet_graph_memory_at(uint64_t address);
/* Before a launch: counts it, if it is not. */
CUresult facet_graph_memory_back(struct facet_graph_memory *memory);
/* For cuMemFree and cuMemFreeAsync: whether it was memory of a graph, which stays reserved for the next launch. */
bool facet_graph_memory_freed(uint64_t address, CUresult *result);
void facet_graph_memory_live(struct facet_graph_memory *memory, bool live);

/* ---- conditional.c */

CUresult facet_conditional_make(const CUDA_CONDITIONAL_NODE_PARAMS *params, struct facet_work *work);
struct facet_condition *facet_condition_of(const struct facet_graph *graph, CUgraphConditionalHandle handle);
void facet_condition_drop(struct facet_condition *condition);

/* ---- user_object.c */

CUresult facet_held_copy(const struct facet_graph *from, struct facet_graph *to);
void facet_held_free(struct facet_graph *graph);
/* Runs the destructors that are due; with the lock not held. */
void facet_user_objects_end(void);

#endif
