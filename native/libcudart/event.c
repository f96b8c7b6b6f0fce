/* Events. Flags have the driver's numbers. */
#include "runtime.h"

cudaError_t facet_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventCreate(event, flags) : result);
}

cudaError_t facet_cudaEventCreate(cudaEvent_t *event)
{
    return facet_cudaEventCreateWithFlags(event, 0);
}

cudaError_t facet_cudaEventDestroy(cudaEvent_t event)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventDestroy_v2(event) : result);
}

cudaError_t facet_cudaEventRecord(bool per_thread, cudaEvent_t event, cudaStream_t stream)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventRecord(event, facet_stream(per_thread, stream)) : result);
}

cudaError_t facet_cudaEventRecordWithFlags(bool per_thread, cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventRecordWithFlags(event, facet_stream(per_thread, stream), flags) : result);
}

cudaError_t facet_cudaEventQuery(cudaEvent_t event)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventQuery(event) : result);
}

cudaError_t facet_cudaEventSynchronize(cudaEvent_t event)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventSynchronize(event) : result);
}

cudaError_t facet_cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuEventElapsedTime_v2(milliseconds, start, end) : result);
}
