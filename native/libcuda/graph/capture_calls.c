/* Calls in a stream that is captured become nodes. */
#include "../memory.h"
#include "capture.h"
#include "exec.h"

/* A mistake in a call ends the capture, as one in the daemon's hands would end a stream's work. */
static CUresult put(struct facet_stream *stream, struct facet_work *work, CUresult made)
{
    if (made == CUDA_SUCCESS)
        return facet_capture_work(stream, work);
    facet_work_free(work);
    return facet_capture_refuse(stream, made);
}

CUresult facet_capture_launch(struct facet_context *context, struct facet_stream *stream, const CUDA_KERNEL_NODE_PARAMS_v2 *params,
                              const struct facet_launch *launch)
{
    /* Without the lock: the kernel's module may be loaded for it. */
    struct facet_work work;
    CUresult result = facet_work_launch(context, params, &work);
    CUlaunchAttributeValue cooperative = {.cooperative = 1};
    if (result == CUDA_SUCCESS && launch->cooperative)
        result = facet_attribute_set(&work.kernel, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative);
    CUlaunchAttributeValue cluster = {.clusterDim = {launch->cluster[0], launch->cluster[1], launch->cluster[2]}};
    if (result == CUDA_SUCCESS && launch->cluster[0] != 0)
        result = facet_attribute_set(&work.kernel, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster);
    facet_graph_enter();
    return facet_graph_leave(put(stream, &work, result));
}

CUresult facet_capture_copy(struct facet_context *context, struct facet_stream *stream, const struct facet_box *box)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    struct facet_side to, from;
    CUresult result = facet_box_sides(box, &to, &from);
    if (result == CUDA_SUCCESS)
        facet_work_copy_of(context, box, &work);
    facet_graph_enter();
    return facet_graph_leave(put(stream, &work, result));
}

CUresult facet_capture_fill(struct facet_context *context, struct facet_stream *stream, const CUDA_MEMSET_NODE_PARAMS_v1 *params)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .context = context};
    work.fill.asked = *params;
    facet_graph_enter();
    return facet_graph_leave(put(stream, &work, CUDA_SUCCESS));
}

CUresult facet_capture_function(struct facet_stream *stream, CUhostFn function, void *data)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {.fn = function, .userData = data}};
    facet_graph_enter();
    return facet_graph_leave(put(stream, &work, CUDA_SUCCESS));
}

CUresult facet_capture_allocate(struct facet_context *context, struct facet_stream *stream, uint64_t bytes, CUdeviceptr *address)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .context = context};
    facet_graph_enter();
    CUresult result = bytes == 0 ? CUDA_ERROR_INVALID_VALUE : facet_graph_memory_new(context, bytes, &work.memory);
    if (result != CUDA_SUCCESS)
        return facet_graph_leave(facet_capture_refuse(stream, result));
    uint64_t chosen = work.memory->address;
    result = facet_capture_work(stream, &work);
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen;
    return facet_graph_leave(result);
}

CUresult facet_capture_free(struct facet_stream *stream, CUdeviceptr address)
{
    facet_graph_enter();
    struct facet_graph_memory *memory = facet_graph_memory_at(address);
    if (memory == NULL)
        return facet_graph_leave(facet_capture_refuse(stream, CUDA_ERROR_INVALID_VALUE));
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .context = memory->context, .memory = memory};
    memory->references++;
    return facet_graph_leave(facet_capture_work(stream, &work));
}
