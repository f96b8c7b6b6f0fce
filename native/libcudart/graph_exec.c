/* Executable graphs, user objects, memory of graphs. */
#include "runtime.h"

#define SAME(name, driver, parameters, arguments) \
    cudaError_t facet_##name parameters           \
    {                                             \
        return facet_finish(driver arguments);    \
    }

SAME(cudaGraphInstantiate, cuGraphInstantiateWithFlags, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags))
SAME(cudaGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
     (exec, graph, flags))

cudaError_t facet_cudaGraphInstantiateWithParams(bool per_thread, cudaGraphExec_t *exec, cudaGraph_t graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    if (params == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaStream_t stream = params->hUploadStream;
    params->hUploadStream = facet_stream(per_thread, stream);
    CUresult result = cuGraphInstantiateWithParams(exec, graph, params);
    params->hUploadStream = stream;
    return facet_finish(result);
}

cudaError_t facet_cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    cuuint64_t found = 0;
    CUresult result = flags == NULL ? CUDA_ERROR_INVALID_VALUE : cuGraphExecGetFlags(exec, &found);
    if (result == CUDA_SUCCESS)
        *flags = found;
    return facet_finish(result);
}

SAME(cudaGraphExecMemsetNodeSetParams, cuGraphExecMemsetNodeSetParams,
     (cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_MEMSET_NODE_PARAMS_v1 *params), (exec, node, params, NULL))
SAME(cudaGraphExecHostNodeSetParams, cuGraphExecHostNodeSetParams,
     (cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_HOST_NODE_PARAMS_v1 *params), (exec, node, params))
SAME(cudaGraphExecChildGraphNodeSetParams, cuGraphExecChildGraphNodeSetParams, (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child),
     (exec, node, child))
SAME(cudaGraphExecEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent, (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
     (exec, node, event))
SAME(cudaGraphExecEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent, (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
     (exec, node, event))
SAME(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled), (exec, node, enabled))
SAME(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled), (exec, node, enabled))
SAME(cudaGraphExecUpdate, cuGraphExecUpdate_v2, (cudaGraphExec_t exec, cudaGraph_t graph, CUgraphExecUpdateResultInfo *info), (exec, graph, info))
SAME(cudaGraphExecDestroy, cuGraphExecDestroy, (cudaGraphExec_t exec), (exec))
SAME(cudaGraphDebugDotPrint, cuGraphDebugDotPrint, (cudaGraph_t graph, const char *path, unsigned flags), (graph, path, flags))

cudaError_t facet_cudaGraphUpload(bool per_thread, cudaGraphExec_t exec, cudaStream_t stream)
{
    return facet_finish(cuGraphUpload(exec, facet_stream(per_thread, stream)));
}

cudaError_t facet_cudaGraphLaunch(bool per_thread, cudaGraphExec_t exec, cudaStream_t stream)
{
    return facet_finish(cuGraphLaunch(exec, facet_stream(per_thread, stream)));
}

SAME(cudaUserObjectCreate, cuUserObjectCreate, (CUuserObject * object, void *data, cudaHostFn_t destroy, unsigned count, unsigned flags),
     (object, data, destroy, count, flags))
SAME(cudaUserObjectRetain, cuUserObjectRetain, (CUuserObject object, unsigned count), (object, count))
SAME(cudaUserObjectRelease, cuUserObjectRelease, (CUuserObject object, unsigned count), (object, count))
SAME(cudaGraphRetainUserObject, cuGraphRetainUserObject, (cudaGraph_t graph, CUuserObject object, unsigned count, unsigned flags),
     (graph, object, count, flags))
SAME(cudaGraphReleaseUserObject, cuGraphReleaseUserObject, (cudaGraph_t graph, CUuserObject object, unsigned count), (graph, object, count))

static cudaError_t on_device(int ordinal, CUdevice *device)
{
    CUresult result = facet_context_need();
    return result == CUDA_SUCCESS ? facet_device_handle(ordinal, device) : facet_error(result);
}

cudaError_t facet_cudaDeviceGraphMemTrim(int ordinal)
{
    CUdevice device;
    cudaError_t error = on_device(ordinal, &device);
    return facet_latch(error == cudaSuccess ? facet_error(cuDeviceGraphMemTrim(device)) : error);
}

cudaError_t facet_cudaDeviceGetGraphMemAttribute(int ordinal, int attribute, void *value)
{
    CUdevice device;
    cudaError_t error = on_device(ordinal, &device);
    return facet_latch(error == cudaSuccess ? facet_error(cuDeviceGetGraphMemAttribute(device, attribute, value)) : error);
}

cudaError_t facet_cudaDeviceSetGraphMemAttribute(int ordinal, int attribute, void *value)
{
    CUdevice device;
    cudaError_t error = on_device(ordinal, &device);
    return facet_latch(error == cudaSuccess ? facet_error(cuDeviceSetGraphMemAttribute(device, attribute, value)) : error);
}
