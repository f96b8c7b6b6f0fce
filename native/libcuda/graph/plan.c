/* From a graph to a list of steps. Each comes behind what it depends on. Steps of a lane run one after the other; what
 * a step needs from another lane it waits for, with all that this lane was given before. */
#include <stdlib.h>

#include "exec.h"

#define NOTHING UINT32_MAX

struct lanes {
    uint32_t last[FACET_GRAPH_LANES]; /* step, or NOTHING */
    uint32_t next;                    /* in turns, when all are used */
};

struct plan {
    struct facet_exec *exec;
    struct lanes lanes; /* of the graph's own block; bodies have one lane */
    uint32_t *counts;   /* steps of each block */
    uint32_t counts_room;
    CUgraphNode *wrong;
};

uint32_t facet_steps_of(const struct facet_node *node)
{
    /* A copy may need a thread of the program before or behind what the device does. */
    return node->work.type == CU_GRAPH_NODE_TYPE_MEMCPY ? 2 : 1;
}

static uint32_t choose_lane(struct lanes *lanes, const struct facet_exec *exec, const uint32_t *after, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lane = exec->steps[after[i]].lane;
        if (lanes->last[lane] == after[i])
            return lane;
    }
    for (uint32_t lane = 0; lane < FACET_GRAPH_LANES; lane++)
        if (lanes->last[lane] == NOTHING)
            return lane;
    lanes->next = (lanes->next + 1) % FACET_GRAPH_LANES;
    return lanes->next;
}

static bool room(struct facet_exec *exec)
{
    if (exec->count < exec->capacity)
        return true;
    uint32_t more = exec->capacity == 0 ? 64 : exec->capacity * 2;
    struct facet_step *steps = realloc(exec->steps, more * sizeof *steps);
    if (steps == NULL)
        return false;
    exec->steps = steps;
    exec->capacity = more;
    return true;
}

static bool new_block(struct plan *plan, uint32_t *block)
{
    if (plan->exec->blocks == FACET_GRAPH_BLOCKS) {
        facet_say("a graph has at most %d bodies of conditional nodes", FACET_GRAPH_BLOCKS - 1);
        return false;
    }
    if (plan->exec->blocks == plan->counts_room) {
        uint32_t more = plan->counts_room == 0 ? 8 : plan->counts_room * 2;
        uint32_t *counts = realloc(plan->counts, more * sizeof *counts);
        if (counts == NULL)
            return false;
        plan->counts = counts;
        plan->counts_room = more;
    }
    *block = plan->exec->blocks++;
    plan->counts[*block] = 0;
    return true;
}

/* A step behind others; false when there is no memory. */
static bool put(struct plan *plan, struct facet_node *node, uint32_t part, uint32_t block, const uint32_t *after, uint32_t count)
{
    struct facet_exec *exec = plan->exec;
    if (!room(exec))
        return false;
    struct facet_step *step = &exec->steps[exec->count];
    *step = (struct facet_step){.node = node, .part = part, .block = block, .index = plan->counts[block]++};
    if (block == 0) {
        step->lane = choose_lane(&plan->lanes, exec, after, count);
        for (uint32_t i = 0; i < count; i++)
            step->waits |= 1u << exec->steps[after[i]].lane;
        step->waits &= ~(1u << step->lane);
        plan->lanes.last[step->lane] = exec->count;
    }
    exec->count++;
    return true;
}

static CUresult add_graph(struct plan *plan, struct facet_graph *graph, uint32_t block, uint32_t begin);

/* The last steps of what a node depends on; `begin` where it depends on nothing. */
static uint32_t *before(const struct facet_node *node, uint32_t begin, uint32_t *count)
{
    uint32_t *after = malloc((node->before.count + 1) * sizeof *after);
    *count = 0;
    if (after == NULL)
        return NULL;
    for (uint32_t i = 0; i < node->before.count; i++)
        after[(*count)++] = node->before.all[i].node->mark;
    if (*count == 0 && begin != NOTHING)
        after[(*count)++] = begin;
    return after;
}

/* Behind all nodes of a child graph that nothing else is behind. */
static CUresult put_end(struct plan *plan, struct facet_node *node, uint32_t block, uint32_t begin)
{
    const struct facet_graph *child = node->work.child;
    uint32_t count = 0, *after = malloc((child->count + 1) * sizeof *after);
    if (after == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (const struct facet_node *each = child->first; each != NULL; each = each->next)
        if (each->after.count == 0)
            after[count++] = each->mark;
    if (count == 0)
        after[count++] = begin;
    bool done = put(plan, node, 1, block, after, count);
    free(after);
    return done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult add_bodies(struct plan *plan, const struct facet_node_conditional *conditional)
{
    /* The blocks follow each other, so that the step need only name the first. */
    uint32_t first = 0, block;
    for (unsigned i = 0; i < conditional->size; i++) {
        if (!new_block(plan, &block))
            return CUDA_ERROR_OUT_OF_MEMORY;
        first = i == 0 ? block : first;
    }
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; result == CUDA_SUCCESS && i < conditional->size; i++)
        result = add_graph(plan, (struct facet_graph *)conditional->bodies[i], first + i, NOTHING);
    return result;
}

static CUresult check(struct plan *plan, struct facet_node *node)
{
    const struct facet_exec *exec = plan->exec;
    *plan->wrong = (CUgraphNode)node;
    if (node->work.context != NULL && node->work.context != exec->object.context)
        return facet_unsupported("graphs with nodes of several contexts");
    *plan->wrong = NULL;
    plan->exec->has_memory |= node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    plan->exec->has_events |= node->work.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    return CUDA_SUCCESS;
}

static CUresult add_node(struct plan *plan, struct facet_node *node, uint32_t block, uint32_t begin)
{
    struct facet_exec *exec = plan->exec;
    CUresult result = check(plan, node);
    if (result != CUDA_SUCCESS)
        return result;
    uint32_t count, *after = before(node, begin, &count);
    if (after == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    node->steps = exec->count;
    bool done = put(plan, node, 0, block, after, count);
    free(after);
    for (uint32_t part = 1; done && part < facet_steps_of(node); part++)
        done = put(plan, node, part, block, &(uint32_t){exec->count - 1}, 1);
    result = done ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && node->work.type == CU_GRAPH_NODE_TYPE_GRAPH) {
        uint32_t inside = exec->count - 1;
        result = add_graph(plan, node->work.child, block, inside);
        if (result == CUDA_SUCCESS)
            result = put_end(plan, node, block, inside);
    }
    node->mark = exec->count - 1;
    if (result == CUDA_SUCCESS && node->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        exec->steps[node->mark].part = exec->blocks; /* of its first body */
        result = add_bodies(plan, &node->work.conditional);
    }
    return result;
}

static CUresult add_graph(struct plan *plan, struct facet_graph *graph, uint32_t block, uint32_t begin)
{
    struct facet_node **order;
    if (!facet_graph_order(graph, &order))
        return CUDA_ERROR_INVALID_VALUE; /* a cycle */
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < graph->count; i++)
        result = add_node(plan, order[i], block, begin);
    free(order);
    return result;
}

CUresult facet_exec_plan(struct facet_exec *exec, CUgraphNode *wrong)
{
    struct plan plan = {.exec = exec, .wrong = wrong};
    for (uint32_t i = 0; i < FACET_GRAPH_LANES; i++)
        plan.lanes.last[i] = NOTHING;
    uint32_t block;
    CUresult result = new_block(&plan, &block) ? add_graph(&plan, exec->graph, block, NOTHING) : CUDA_ERROR_OUT_OF_MEMORY;
    free(plan.counts);
    return result;
}
