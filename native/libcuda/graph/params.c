/* Parameters of nodes: what the program may ask for and change. */
#include <stdlib.h>
#include <string.h>

#include "exec.h"

static struct facet_node *typed(CUgraphNode handle, CUgraphNodeType type)
{
    struct facet_node *node = facet_node_of(handle);
    return node != NULL && node->work.type == type ? node : NULL;
}

/* ---- asking */

#define GET(type, ...)                                   \
    facet_graph_enter();                                 \
    const struct facet_node *node = typed(handle, type); \
    if (node != NULL) {                                  \
        __VA_ARGS__;                                     \
    }                                                    \
    return facet_graph_leave(node == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS)

static CUDA_KERNEL_NODE_PARAMS_v2 kernel_of(const struct facet_node *node)
{
    const struct facet_node_kernel *kernel = &node->work.kernel;
    return (CUDA_KERNEL_NODE_PARAMS_v2){
        .func = facet_object(kernel->asked, FACET_KERNEL) == NULL ? kernel->asked : NULL,
        .kern = facet_object(kernel->asked, FACET_KERNEL) != NULL ? (CUkernel)kernel->asked : NULL,
        .gridDimX = kernel->grid[0],
        .gridDimY = kernel->grid[1],
        .gridDimZ = kernel->grid[2],
        .blockDimX = kernel->block[0],
        .blockDimY = kernel->block[1],
        .blockDimZ = kernel->block[2],
        .sharedMemBytes = kernel->shared,
        .kernelParams = kernel->pointers,
        .ctx = (CUcontext)node->work.context,
    };
}

CUresult facet_cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS_v2 *params)
{
    GET(CU_GRAPH_NODE_TYPE_KERNEL, *params = kernel_of(node));
}

CUresult facet_cuGraphKernelNodeGetParams(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    GET(CU_GRAPH_NODE_TYPE_KERNEL, CUDA_KERNEL_NODE_PARAMS_v2 all = kernel_of(node);
        all.func = all.func == NULL ? (CUfunction)node->work.kernel.function : all.func; memcpy(params, &all, sizeof *params));
}

CUresult facet_cuGraphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *params)
{
    GET(CU_GRAPH_NODE_TYPE_MEMCPY, *params = node->work.copy.asked);
}

CUresult facet_cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS_v1 *params)
{
    GET(CU_GRAPH_NODE_TYPE_MEMSET, *params = node->work.fill.asked);
}

CUresult facet_cuGraphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS_v1 *params)
{
    GET(CU_GRAPH_NODE_TYPE_HOST, *params = node->work.host);
}

CUresult facet_cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph)
{
    GET(CU_GRAPH_NODE_TYPE_GRAPH, *graph = (CUgraph)node->work.child);
}

CUresult facet_cuGraphEventRecordNodeGetEvent(CUgraphNode handle, CUevent *event)
{
    GET(CU_GRAPH_NODE_TYPE_EVENT_RECORD, *event = node->work.event);
}

CUresult facet_cuGraphEventWaitNodeGetEvent(CUgraphNode handle, CUevent *event)
{
    GET(CU_GRAPH_NODE_TYPE_WAIT_EVENT, *event = node->work.event);
}

CUresult facet_cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *address)
{
    GET(CU_GRAPH_NODE_TYPE_MEM_FREE, *address = node->work.memory->address);
}

CUresult facet_cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS_v1 *params)
{
    GET(CU_GRAPH_NODE_TYPE_MEM_ALLOC, *params = (CUDA_MEM_ALLOC_NODE_PARAMS_v1){
                                          .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = node->work.memory->context->device}},
                                          .bytesize = node->work.memory->bytes,
                                          .dptr = node->work.memory->address,
                                      });
}

/* ---- changing */

/* What a launch says besides its sizes stays when these change. */
static void keep_attributes(struct facet_work *from, struct facet_work *to)
{
    if (from->type == CU_GRAPH_NODE_TYPE_KERNEL) {
        to->kernel.attributes = from->kernel.attributes;
        to->kernel.attributes_set = from->kernel.attributes_set;
        from->kernel.attributes = NULL;
    }
}

CUresult facet_node_change(struct facet_node *node, const CUgraphNodeParams *params)
{
    if (node == NULL || params == NULL || node->work.type != params->type)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_work work;
    CUresult result = facet_work_make(params, false, &work);
    if (result != CUDA_SUCCESS)
        return result;
    keep_attributes(&node->work, &work);
    facet_work_free(&node->work);
    node->work = work;
    return CUDA_SUCCESS;
}

static CUresult set(CUgraphNode handle, const CUgraphNodeParams *params)
{
    facet_graph_enter();
    return facet_graph_leave(facet_node_change(facet_node_of(handle), params));
}

static CUresult set_in(CUgraphExec exec, CUgraphNode handle, const CUgraphNodeParams *params)
{
    facet_graph_enter();
    return facet_graph_leave(facet_exec_change(exec, handle, params));
}

CUresult facet_cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params)
{
    return set(handle, params);
}

CUresult facet_cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode handle, CUgraphNodeParams *params)
{
    return set_in(exec, handle, params);
}

/* Each of these gives and makes one kind of parameters. */
static bool kernel_params(const void *given, size_t bytes, CUgraphNodeParams *params)
{
    *params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_KERNEL};
    if (given != NULL)
        memcpy(&params->kernel, given, bytes);
    return given != NULL;
}

static bool copy_params(const CUDA_MEMCPY3D *given, CUcontext context, CUgraphNodeParams *params)
{
    *params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (given != NULL)
        params->memcpy = (CUDA_MEMCPY_NODE_PARAMS){.copyCtx = context, .copyParams = *given};
    return given != NULL;
}

static bool fill_params(const CUDA_MEMSET_NODE_PARAMS_v1 *given, CUcontext context, CUgraphNodeParams *params)
{
    *params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET};
    if (given != NULL)
        memcpy(&params->memset, given, sizeof *given);
    params->memset.ctx = context;
    return given != NULL;
}

static bool host_params(const CUDA_HOST_NODE_PARAMS_v1 *given, CUgraphNodeParams *params)
{
    *params = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST};
    if (given != NULL)
        memcpy(&params->host, given, sizeof *given);
    return given != NULL;
}

CUresult facet_cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2 *given)
{
    CUgraphNodeParams params;
    return kernel_params(given, sizeof *given, &params) ? set(node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params;
    return kernel_params(given, sizeof *given, &params) ? set(node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2 *given)
{
    CUgraphNodeParams params;
    return kernel_params(given, sizeof *given, &params) ? set_in(exec, node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params;
    return kernel_params(given, sizeof *given, &params) ? set_in(exec, node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *given)
{
    CUgraphNodeParams params;
    return copy_params(given, NULL, &params) ? set(node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *given, CUcontext context)
{
    CUgraphNodeParams params;
    return copy_params(given, context, &params) ? set_in(exec, node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params;
    return fill_params(given, NULL, &params) ? set(node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS_v1 *given, CUcontext context)
{
    CUgraphNodeParams params;
    return fill_params(given, context, &params) ? set_in(exec, node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params;
    return host_params(given, &params) ? set(node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params;
    return host_params(given, &params) ? set_in(exec, node, &params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set(node, &(CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {.event = event}});
}

CUresult facet_cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set(node, &(CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {.event = event}});
}

CUresult facet_cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    return set_in(exec, node, &(CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {.event = event}});
}

CUresult facet_cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    return set_in(exec, node, &(CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {.event = event}});
}
