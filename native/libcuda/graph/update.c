/* Taking over the parameters of another graph of the same form. */
#include <stdlib.h>

#include "exec.h"

struct update {
    struct facet_exec *exec;
    CUgraphExecUpdateResultInfo info;
};

static CUresult refuse(struct update *update, CUgraphExecUpdateResult why, struct facet_node *node)
{
    update->info = (CUgraphExecUpdateResultInfo){.result = why, .errorNode = (CUgraphNode)node};
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

static void number(const struct facet_graph *graph)
{
    uint32_t count = 0;
    for (struct facet_node *node = graph->first; node != NULL; node = node->next)
        node->mark = count++;
}

static bool depends_on(const struct facet_node *node, uint32_t number)
{
    for (uint32_t i = 0; i < node->before.count; i++)
        if (node->before.all[i].node->mark == number)
            return true;
    return false;
}

static CUresult compare(struct update *update, const struct facet_graph *mine, const struct facet_graph *other);

static CUresult compare_node(struct update *update, const struct facet_node *mine, struct facet_node *other)
{
    if (mine->work.type != other->work.type)
        return refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, other);
    if (mine->before.count != other->before.count)
        return refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, other);
    for (uint32_t i = 0; i < other->before.count; i++)
        if (!depends_on(mine, other->before.all[i].node->mark))
            return refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, other);
    if (mine->work.context != other->work.context)
        return refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, other);
    switch (mine->work.type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return CUDA_SUCCESS; /* they are compared behind all of these: each has its own numbers */
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return mine->work.conditional.condition != other->work.conditional.condition || mine->work.conditional.size != other->work.conditional.size
                   ? refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, other)
                   : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return mine->work.memory != other->work.memory ? refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, other) : CUDA_SUCCESS;
    default:
        return CUDA_SUCCESS;
    }
}

static CUresult compare(struct update *update, const struct facet_graph *mine, const struct facet_graph *other)
{
    if (mine->count != other->count)
        return refuse(update, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL);
    number(mine);
    number(other);
    CUresult result = CUDA_SUCCESS;
    struct facet_node *theirs = other->first;
    for (const struct facet_node *node = mine->first; result == CUDA_SUCCESS && node != NULL; node = node->next, theirs = theirs->next)
        result = compare_node(update, node, theirs);
    theirs = other->first;
    for (const struct facet_node *node = mine->first; result == CUDA_SUCCESS && node != NULL; node = node->next, theirs = theirs->next) {
        if (node->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
            result = compare(update, node->work.child, theirs->work.child);
        if (node->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            for (unsigned i = 0; result == CUDA_SUCCESS && i < node->work.conditional.size; i++)
                result =
                    compare(update, (struct facet_graph *)node->work.conditional.bodies[i], (struct facet_graph *)theirs->work.conditional.bodies[i]);
    }
    return result;
}

static CUresult take_over(struct update *update, struct facet_graph *mine, const struct facet_graph *other)
{
    CUresult result = CUDA_SUCCESS;
    const struct facet_node *theirs = other->first;
    for (struct facet_node *node = mine->first; result == CUDA_SUCCESS && node != NULL; node = node->next, theirs = theirs->next) {
        /* From then on the other graph's nodes name it too. */
        node->origin = theirs->serial;
        switch (node->work.type) {
        case CU_GRAPH_NODE_TYPE_GRAPH:
            result = take_over(update, node->work.child, theirs->work.child);
            break;
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            for (unsigned i = 0; result == CUDA_SUCCESS && i < node->work.conditional.size; i++)
                result = take_over(update, (struct facet_graph *)node->work.conditional.bodies[i],
                                   (struct facet_graph *)theirs->work.conditional.bodies[i]);
            break;
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
        case CU_GRAPH_NODE_TYPE_EMPTY:
            break;
        default: {
            struct facet_work work;
            result = facet_work_copy(&theirs->work, &work);
            if (result == CUDA_SUCCESS) {
                facet_work_free(&node->work);
                node->work = work;
                result = facet_exec_send(update->exec, node);
            }
        }
        }
    }
    return result;
}

static CUresult update_with(struct update *update, struct facet_graph *graph)
{
    if (update->exec == NULL || graph == NULL || graph->parent != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!facet_exec_living(update->exec))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = compare(update, update->exec->graph, graph);
    if (result == CUDA_SUCCESS) {
        result = take_over(update, update->exec->graph, graph);
        if (result != CUDA_SUCCESS)
            update->info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
    }
    return result;
}

CUresult facet_cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    facet_graph_enter();
    struct update update = {.exec = facet_exec_of(exec), .info = {.result = CU_GRAPH_EXEC_UPDATE_SUCCESS}};
    CUresult result = update_with(&update, facet_graph_of(graph));
    if (info != NULL)
        *info = update.info;
    return facet_graph_leave(result);
}

CUresult facet_cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, CUgraphExecUpdateResult *why)
{
    CUgraphExecUpdateResultInfo info;
    CUresult result = facet_cuGraphExecUpdate_v2(exec, graph, &info);
    if (node != NULL)
        *node = info.errorNode;
    if (why != NULL)
        *why = info.result;
    return result;
}

static CUresult update_child(struct facet_exec *exec, CUgraphNode handle, struct facet_graph *graph)
{
    const struct facet_node *named = facet_node_of(handle);
    struct facet_node *node = exec == NULL || named == NULL ? NULL : facet_graph_find(exec->graph, named->serial);
    if (node == NULL || node->work.type != CU_GRAPH_NODE_TYPE_GRAPH || graph == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct update update = {.exec = exec};
    CUresult result = compare(&update, node->work.child, graph);
    return result == CUDA_SUCCESS ? take_over(&update, node->work.child, graph) : result;
}

CUresult facet_cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    facet_graph_enter();
    return facet_graph_leave(update_child(facet_exec_of(exec), node, facet_graph_of(child)));
}
