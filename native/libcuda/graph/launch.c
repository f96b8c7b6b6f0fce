/* Launching: one command, however many nodes there are. */
#include "../event.h"
#include "../stream.h"
#include "capture.h"
#include "exec.h"

/* Memory that the launch allocates: it must not be there already, and is counted from now on. */
static CUresult take_memory(struct facet_exec *exec)
{
    bool frees = (exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
    for (uint32_t i = 0; i < exec->count; i++) {
        const struct facet_work *work = &exec->steps[i].node->work;
        if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && work->memory->live && !frees)
            return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < exec->count; i++) {
        const struct facet_work *work = &exec->steps[i].node->work;
        if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
            result = facet_graph_memory_back(work->memory);
    }
    return result;
}

static void note_memory(struct facet_exec *exec)
{
    for (uint32_t i = 0; i < exec->count; i++) {
        const struct facet_work *work = &exec->steps[i].node->work;
        if (work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || work->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
            facet_graph_memory_live(work->memory, work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    }
}

static void note_events(struct facet_exec *exec)
{
    for (uint32_t i = 0; i < exec->count; i++) {
        const struct facet_work *work = &exec->steps[i].node->work;
        struct facet_event *event = work->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? facet_object(work->event, FACET_EVENT) : NULL;
        if (event != NULL)
            atomic_store_explicit(&event->recorded, true, memory_order_release);
    }
}

/* A graph that is launched into a capture becomes a node of it. */
static CUresult capture(struct facet_exec *exec, struct facet_stream *stream)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    if (facet_graph_has(exec->graph, CU_GRAPH_NODE_TYPE_CONDITIONAL) || exec->has_memory)
        return facet_capture_refuse(stream, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUresult result = facet_graph_copy(exec->graph, &work.child);
    return result == CUDA_SUCCESS ? facet_capture_work(stream, &work) : result;
}

static CUresult launch(struct facet_exec *exec, struct facet_context *context, struct facet_stream *stream)
{
    if (exec == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_capturing(stream))
        return capture(exec, stream);
    CUresult result = facet_capture_legacy(context, stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (context != exec->object.context || !facet_exec_living(exec))
        return CUDA_ERROR_INVALID_HANDLE;
    if (exec->has_memory && (result = take_memory(exec)) != CUDA_SUCCESS)
        return result;
    result = facet_post_graph_launch(context, exec->object.id, stream);
    if (result == CUDA_SUCCESS && exec->has_memory)
        note_memory(exec);
    if (result == CUDA_SUCCESS && exec->has_events)
        note_events(exec);
    return result;
}

CUresult facet_cuGraphLaunch(bool per_thread, CUgraphExec handle, CUstream stream_handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(stream_handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(launch(facet_exec_of(handle), context, stream));
}

/* The host has it already; memory that it allocates is made ready. */
CUresult facet_cuGraphUpload(bool per_thread, CUgraphExec handle, CUstream stream_handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(stream_handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    struct facet_exec *exec = facet_exec_of(handle);
    bool good = exec != NULL && context == exec->object.context && facet_exec_living(exec);
    for (uint32_t i = 0; good && exec->has_memory && result == CUDA_SUCCESS && i < exec->count; i++)
        if (exec->steps[i].node->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
            result = facet_graph_memory_back(exec->steps[i].node->work.memory);
    return facet_graph_leave(good ? result : CUDA_ERROR_INVALID_VALUE);
}
