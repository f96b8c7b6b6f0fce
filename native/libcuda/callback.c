#include "callback.h"

#include "graph/capture.h"
#include "stream.h"

static CUresult enqueue(bool per_thread, CUstream handle, struct facet_callback *callback)
{
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &callback->context, &stream);
    if (result == CUDA_SUCCESS && facet_capturing(stream) && callback->function != NULL)
        return facet_capture_function(stream, callback->function, callback->data);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsupported(callback->context, stream);
    if (result == CUDA_SUCCESS)
        result = facet_callback_thread_start();
    if (result != CUDA_SUCCESS)
        return result;
    callback->stream = handle;
    struct facet_context *context = callback->context;
    uint64_t token = facet_pending_add(callback);
    if (token == 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = facet_post_host_function(context, token, stream);
    if (result != CUDA_SUCCESS)
        facet_pending_take(token, callback);
    return result;
}

CUresult facet_cuLaunchHostFunc(bool per_thread, CUstream stream, CUhostFn function, void *data)
{
    struct facet_callback callback = {.function = function, .data = data};
    return function == NULL ? CUDA_ERROR_INVALID_VALUE : enqueue(per_thread, stream, &callback);
}

CUresult facet_cuStreamAddCallback(bool per_thread, CUstream stream, CUstreamCallback function, void *data, unsigned int flags)
{
    struct facet_callback callback = {.callback = function, .data = data};
    return function == NULL || flags != 0 ? CUDA_ERROR_INVALID_VALUE : enqueue(per_thread, stream, &callback);
}
