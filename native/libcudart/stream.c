/* Streams. Flags, priorities and attributes have the driver's numbers. */
#include "runtime.h"

cudaError_t facet_cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamCreateWithPriority(stream, flags, priority) : result);
}

cudaError_t facet_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamCreate(stream, flags) : result);
}

cudaError_t facet_cudaStreamCreate(cudaStream_t *stream)
{
    return facet_cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t facet_cudaStreamDestroy(cudaStream_t stream)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamDestroy_v2(stream) : result);
}

cudaError_t facet_cudaStreamQuery(bool per_thread, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamQuery(facet_stream(per_thread, stream)) : result);
}

cudaError_t facet_cudaStreamSynchronize(bool per_thread, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamSynchronize(facet_stream(per_thread, stream)) : result);
}

cudaError_t facet_cudaStreamWaitEvent(bool per_thread, cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamWaitEvent(facet_stream(per_thread, stream), event, flags) : result);
}

/* Errors have the same numbers, so the program's function suits the driver. */
cudaError_t facet_cudaStreamAddCallback(bool per_thread, cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamAddCallback(facet_stream(per_thread, stream), (CUstreamCallback)callback, data, flags);
    return facet_finish(result);
}

cudaError_t facet_cudaStreamGetFlags(bool per_thread, cudaStream_t stream, unsigned *flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamGetFlags(facet_stream(per_thread, stream), flags) : result);
}

cudaError_t facet_cudaStreamGetPriority(bool per_thread, cudaStream_t stream, int *priority)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamGetPriority(facet_stream(per_thread, stream), priority) : result);
}

cudaError_t facet_cudaStreamGetId(bool per_thread, cudaStream_t stream, unsigned long long *id)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuStreamGetId(facet_stream(per_thread, stream), id) : result);
}

cudaError_t facet_cudaStreamGetDevice(bool per_thread, cudaStream_t stream, int *device)
{
    CUdevice found = 0;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = device == NULL ? CUDA_ERROR_INVALID_VALUE : cuStreamGetDevice(facet_stream(per_thread, stream), &found);
    if (result == CUDA_SUCCESS)
        *device = found;
    return facet_finish(result);
}

cudaError_t facet_cudaStreamGetAttribute(bool per_thread, cudaStream_t stream, int attribute, cudaLaunchAttributeValue *value)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamGetAttribute(facet_stream(per_thread, stream), attribute, (void *)value);
    return facet_finish(result);
}

cudaError_t facet_cudaStreamSetAttribute(bool per_thread, cudaStream_t stream, int attribute, const cudaLaunchAttributeValue *value)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamSetAttribute(facet_stream(per_thread, stream), attribute, (const void *)value);
    return facet_finish(result);
}

cudaError_t facet_cudaStreamCopyAttributes(bool per_thread, cudaStream_t destination, cudaStream_t source)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuStreamCopyAttributes(facet_stream(per_thread, destination), facet_stream(per_thread, source));
    return facet_finish(result);
}
