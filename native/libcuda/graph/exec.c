/* Making, changing and destroying executable graphs. */
#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLAGS = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
            CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
};

bool facet_exec_living(const struct facet_exec *exec)
{
    return exec->object.context->unique == exec->unique;
}

static void destroy(struct facet_exec *exec)
{
    struct facet_context *context = exec->object.context;
    for (uint32_t i = 0; i < exec->count; i++)
        facet_keep_end(context, exec->unique, &exec->steps[i].keep);
    if (facet_graph_of((CUgraph)exec->source) != NULL && exec->source->serial == exec->source_serial)
        exec->source->executables--;
    if (exec->graph != NULL)
        facet_graph_free(exec->graph);
    free(exec->steps);
    if (facet_exec_living(exec))
        facet_post_graph_destroy(context->object.id, exec->object.id);
    facet_object_destroy(exec);
}

/* The context of the first node that has one; else the current one. */
static CUresult context_of(const struct facet_graph *graph, struct facet_context **context)
{
    for (const struct facet_node *node = graph->first; node != NULL; node = node->next) {
        if (node->work.type == CU_GRAPH_NODE_TYPE_GRAPH && context_of(node->work.child, context) == CUDA_SUCCESS && node->work.child->count > 0)
            return CUDA_SUCCESS;
        if (node->work.context != NULL) {
            *context = node->work.context;
            return facet_context_fault(*context);
        }
    }
    return facet_context_current(context);
}

static CUresult check_conditions(struct facet_graph *graph, CUgraphInstantiateResult *why)
{
    for (const struct facet_condition *each = graph->conditions; each != NULL; each = each->next)
        if (!each->used) {
            *why = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
            return CUDA_ERROR_INVALID_VALUE;
        }
    bool several = graph->executables > 0 && facet_graph_has(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL);
    return several ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* The node of the program's graph that a copy was made of. */
static CUgraphNode original(const struct facet_graph *graph, CUgraphNode copy)
{
    const struct facet_node *wrong = facet_node_of(copy);
    for (struct facet_node *node = graph->first; wrong != NULL && node != NULL; node = node->next)
        if (node->serial == wrong->origin)
            return (CUgraphNode)node;
    return NULL;
}

static CUresult send_all(struct facet_exec *exec, CUgraphNode *wrong)
{
    CUresult result = facet_post_graph_create(exec->object.context->object.id, exec->object.id);
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < exec->count; i++) {
        result = facet_step_send(exec, &exec->steps[i]);
        if (result != CUDA_SUCCESS)
            *wrong = (CUgraphNode)exec->steps[i].node;
    }
    return result;
}

static CUresult instantiate(struct facet_graph *graph, cuuint64_t flags, CUgraphExec *handle, CUgraphNode *wrong, CUgraphInstantiateResult *why)
{
    *wrong = NULL;
    *why = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (graph == NULL || graph->parent != NULL || (flags & ~(cuuint64_t)FLAGS) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) {
        *why = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
        return facet_unsupported("graphs that the device launches (CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)");
    }
    if (!facet_command_known(FACET_COMMAND_GRAPH_LAUNCH))
        return facet_unsupported("graphs, with a daemon that is older than this library");
    struct facet_context *context;
    CUresult result = context_of(graph, &context);
    if (result == CUDA_SUCCESS)
        result = check_conditions(graph, why);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_exec *exec = facet_object_create(FACET_EXEC, context);
    if (exec == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    /* Nothing is posted for it before its steps are known: until then it is nobody's at the host. */
    exec->flags = flags;
    result = facet_graph_copy(graph, &exec->graph);
    CUgraphNode copy = NULL;
    if (result == CUDA_SUCCESS)
        result = facet_exec_plan(exec, &copy);
    if (result == CUDA_ERROR_INVALID_VALUE)
        *why = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        *why = CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS) {
        exec->unique = context->unique;
        result = send_all(exec, &copy);
    }
    if (result != CUDA_SUCCESS) {
        *wrong = original(graph, copy);
        destroy(exec);
        return result;
    }
    if (facet_graph_has(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL)) {
        exec->source = graph;
        exec->source_serial = graph->serial;
        graph->executables++;
    }
    *why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    *handle = (CUgraphExec)exec;
    return CUDA_SUCCESS;
}

static CUresult make(CUgraph graph, cuuint64_t flags, CUgraphExec *exec, CUgraphNode *wrong, CUgraphInstantiateResult *why)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(instantiate(facet_graph_of(graph), flags, exec, wrong, why));
}

CUresult facet_cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CUgraphNode wrong;
    CUgraphInstantiateResult why;
    return make(graph, flags, exec, &wrong, &why);
}

CUresult facet_cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t bytes)
{
    CUgraphNode node = NULL;
    CUgraphInstantiateResult why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    CUresult result = make(graph, 0, exec, &node, &why);
    if (wrong != NULL)
        *wrong = node;
    if (log != NULL && bytes > 0) {
        const char *text = why == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE ? "the graph has a cycle" : "";
        strncpy(log, text, bytes - 1);
        log[bytes - 1] = 0;
    }
    return result;
}

CUresult facet_cuGraphInstantiateWithParams(bool per_thread, CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    if (params == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = make(graph, params->flags, exec, &params->hErrNode_out, &params->result_out);
    if (result == CUDA_SUCCESS && (params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0)
        result = facet_cuGraphUpload(per_thread, *exec, params->hUploadStream);
    return result;
}

CUresult facet_cuGraphExecDestroy(CUgraphExec handle)
{
    facet_graph_enter();
    struct facet_exec *exec = facet_exec_of(handle);
    if (exec != NULL)
        destroy(exec);
    return facet_graph_leave(exec == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult facet_cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t *flags)
{
    facet_graph_enter();
    const struct facet_exec *exec = facet_exec_of(handle);
    if (exec != NULL)
        *flags = exec->flags;
    return facet_graph_leave(exec == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

/* ---- changes */

CUresult facet_exec_send(struct facet_exec *exec, struct facet_node *node)
{
    CUresult result = facet_exec_living(exec) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < facet_steps_of(node); i++)
        result = facet_step_send(exec, &exec->steps[node->steps + i]);
    return result;
}

static struct facet_node *copy_in(const struct facet_exec *exec, CUgraphNode handle)
{
    const struct facet_node *node = facet_node_of(handle);
    return exec == NULL || node == NULL ? NULL : facet_graph_find(exec->graph, node->serial);
}

CUresult facet_exec_change(CUgraphExec handle, CUgraphNode node_handle, const CUgraphNodeParams *params)
{
    struct facet_exec *exec = facet_exec_of(handle);
    struct facet_node *node = copy_in(exec, node_handle);
    if (node == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    const struct facet_context *context = node->work.context;
    /* The old one comes back when the new one is refused. */
    struct facet_work before;
    CUresult result = facet_work_copy(&node->work, &before);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_node_change(node, params);
    if (result == CUDA_SUCCESS && node->work.context != context)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = facet_exec_send(exec, node);
    if (result != CUDA_SUCCESS) {
        facet_work_free(&node->work);
        node->work = before;
        facet_exec_send(exec, node);
        return result;
    }
    facet_work_free(&before);
    return CUDA_SUCCESS;
}

CUresult facet_cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode node_handle, unsigned int enabled)
{
    facet_graph_enter();
    struct facet_exec *exec = facet_exec_of(handle);
    struct facet_node *node = copy_in(exec, node_handle);
    bool good = node != NULL && (node->work.type == CU_GRAPH_NODE_TYPE_KERNEL || node->work.type == CU_GRAPH_NODE_TYPE_MEMSET ||
                                 node->work.type == CU_GRAPH_NODE_TYPE_MEMCPY);
    if (good)
        node->disabled = enabled == 0;
    return facet_graph_leave(good ? facet_exec_send(exec, node) : CUDA_ERROR_INVALID_VALUE);
}

CUresult facet_cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode node_handle, unsigned int *enabled)
{
    facet_graph_enter();
    const struct facet_node *node = copy_in(facet_exec_of(handle), node_handle);
    if (node != NULL)
        *enabled = !node->disabled;
    return facet_graph_leave(node == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}
