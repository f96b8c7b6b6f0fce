/* Conditional nodes and their handles. */
#include <stdlib.h>

#include "../memory.h"
#include "graph.h"

static struct facet_graph *outermost(struct facet_graph *graph)
{
    while (graph->parent != NULL)
        graph = graph->parent;
    return graph;
}

/* Every handle that there is: a node finds its own by the number alone. */
static struct facet_condition *all[1 << 12];

static struct facet_condition *find(CUgraphConditionalHandle handle)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL && all[i]->address == handle)
            return all[i];
    return NULL;
}

struct facet_condition *facet_condition_of(const struct facet_graph *graph, CUgraphConditionalHandle handle)
{
    for (struct facet_condition *each = graph->conditions; each != NULL; each = each->next)
        if (each->address == handle)
            return each;
    return NULL;
}

void facet_condition_drop(struct facet_condition *condition)
{
    if (--condition->references > 0)
        return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == condition)
            all[i] = NULL;
    if (condition->context->unique == condition->unique)
        facet_memory_give(condition->context, condition->address);
    free(condition);
}

CUresult facet_conditional_make(const CUDA_CONDITIONAL_NODE_PARAMS *params, struct facet_work *work)
{
    struct facet_condition *condition = find(params->handle);
    unsigned most = params->type == CU_GRAPH_COND_TYPE_WHILE ? 1 : params->type == CU_GRAPH_COND_TYPE_IF ? 2 : 1 << 10;
    bool kind = params->type == CU_GRAPH_COND_TYPE_IF || params->type == CU_GRAPH_COND_TYPE_WHILE || params->type == CU_GRAPH_COND_TYPE_SWITCH;
    if (condition == NULL || condition->used || !kind || params->size == 0 || params->size > most)
        return CUDA_ERROR_INVALID_VALUE;
    work->context = condition->context;
    if (params->ctx != NULL && facet_context_handle(params->ctx) != condition->context)
        return CUDA_ERROR_INVALID_VALUE;
    work->conditional = (struct facet_node_conditional){.condition = condition, .kind = params->type, .size = params->size};
    work->conditional.bodies = calloc(params->size, sizeof(CUgraph));
    if (work->conditional.bodies == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    condition->references++;
    for (unsigned i = 0; i < params->size; i++) {
        struct facet_graph *body = facet_graph_new();
        if (body == NULL) {
            facet_work_free(work);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        body->body = true;
        work->conditional.bodies[i] = (CUgraph)body;
    }
    condition->used = true;
    return CUDA_SUCCESS;
}

static CUresult create(CUgraphConditionalHandle *handle, struct facet_graph *graph, CUcontext context_handle, unsigned value, unsigned flags)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (context_handle != NULL) {
        context = facet_context_handle(context_handle);
        result = context == NULL ? CUDA_ERROR_INVALID_CONTEXT : facet_context_fault(context);
    }
    if (result != CUDA_SUCCESS)
        return result;
    if (graph == NULL || (flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    size_t place = 0;
    while (place < sizeof all / sizeof *all && all[place] != NULL)
        place++;
    struct facet_condition *condition = place == sizeof all / sizeof *all ? NULL : calloc(1, sizeof *condition);
    if (condition == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = facet_memory_take(context, sizeof(uint64_t), FACET_MEMORY_DEVICE, &condition->address);
    if (result != CUDA_SUCCESS) {
        free(condition);
        return result;
    }
    struct facet_graph *owner = outermost(graph);
    condition->references = 1;
    condition->context = context;
    condition->unique = context->unique;
    condition->value = value;
    condition->assigns = (flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0;
    condition->next = owner->conditions;
    owner->conditions = condition;
    all[place] = condition;
    *handle = condition->address;
    /* Without a default it begins with 0. */
    return facet_post_fill(context, condition->address, 8, 2, 1, 0, 4, NULL);
}

CUresult facet_cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context, unsigned int value,
                                              unsigned int flags)
{
    facet_graph_enter();
    return facet_graph_leave(create(handle, facet_graph_of(graph), context, value, flags));
}
