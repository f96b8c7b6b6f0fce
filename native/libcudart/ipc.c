/* Memory and events of other processes. Flags have the driver's numbers. */
#include "runtime.h"

cudaError_t facet_cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuIpcGetMemHandle(handle, (CUdeviceptr)(uintptr_t)pointer) : result);
}

cudaError_t facet_cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    CUdeviceptr address = 0;
    if (pointer == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuIpcOpenMemHandle_v2(&address, handle, flags);
    if (result == CUDA_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaIpcCloseMemHandle(void *pointer)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)pointer) : result);
}

cudaError_t facet_cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuIpcGetEventHandle(handle, event) : result);
}

cudaError_t facet_cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuIpcOpenEventHandle(event, handle) : result);
}
