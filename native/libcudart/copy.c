/* Copies of one piece. */
#include <string.h>

#include "runtime.h"

static CUdeviceptr device(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

static CUresult copy_waiting(void *destination, const void *source, size_t bytes, int kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoD_v2(device(destination), source, bytes);
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoH_v2(destination, device(source), bytes);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoD_v2(device(destination), device(source), bytes);
    default:
        return cuMemcpy(device(destination), device(source), bytes);
    }
}

static CUresult copy_in_order(void *destination, const void *source, size_t bytes, int kind, cudaStream_t stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return cuMemcpyHtoDAsync_v2(device(destination), source, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return cuMemcpyDtoHAsync_v2(destination, device(source), bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync_v2(device(destination), device(source), bytes, stream);
    default:
        return cuMemcpyAsync(device(destination), device(source), bytes, stream);
    }
}

/* stream == cudaStreamPerThread with waits: programs with a default stream per thread. */
cudaError_t facet_copy(void *destination, const void *source, size_t bytes, int kind, cudaStream_t stream, bool waits)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || bytes == 0)
        return facet_error(result);
    if (destination == NULL || source == NULL)
        return cudaErrorInvalidValue;
    if (waits && stream == NULL)
        return facet_error(copy_waiting(destination, source, bytes, kind));
    result = copy_in_order(destination, source, bytes, kind, stream);
    if (result == CUDA_SUCCESS && waits)
        result = cuStreamSynchronize(stream);
    return facet_error(result);
}

cudaError_t facet_cudaMemcpy(bool per_thread, void *destination, const void *source, size_t bytes, int kind)
{
    return facet_latch(facet_copy(destination, source, bytes, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpyAsync(bool per_thread, void *destination, const void *source, size_t bytes, int kind, cudaStream_t stream)
{
    return facet_latch(facet_copy(destination, source, bytes, kind, facet_stream(per_thread, stream), false));
}

/* One by one; what fails ends it. */
cudaError_t facet_cudaMemcpyBatchAsync_12(bool per_thread, void **destinations, void **sources, size_t *sizes, size_t count, void *attributes,
                                          size_t *attribute_indices, size_t attribute_count, size_t *failed, cudaStream_t stream)
{
    (void)attributes; /* hints */
    (void)attribute_indices;
    (void)attribute_count;
    if (destinations == NULL || sources == NULL || sizes == NULL || count == 0)
        return facet_latch(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        cudaError_t error = facet_copy(destinations[i], sources[i], sizes[i], cudaMemcpyDefault, facet_stream(per_thread, stream), false);
        if (error != cudaSuccess) {
            if (failed != NULL)
                *failed = i;
            return facet_latch(error);
        }
    }
    return cudaSuccess;
}

cudaError_t facet_cudaMemcpyBatchAsync_13(bool per_thread, void **destinations, void **sources, size_t *sizes, size_t count, void *attributes,
                                          size_t *attribute_indices, size_t attribute_count, cudaStream_t stream)
{
    return facet_cudaMemcpyBatchAsync_12(per_thread, destinations, sources, sizes, count, attributes, attribute_indices, attribute_count, NULL,
                                         stream);
}

/* ---- between devices */

cudaError_t facet_context_of(int ordinal, CUcontext *context)
{
    CUcontext before;
    cudaError_t error = facet_context_enter(ordinal, &before);
    if (error != cudaSuccess)
        return error;
    error = facet_error(cuCtxGetCurrent(context));
    facet_context_leave(before);
    return error;
}

static cudaError_t copy_peer(void *destination, int destination_device, const void *source, int source_device, size_t bytes, cudaStream_t stream,
                             bool waits)
{
    CUcontext to;
    CUcontext from;
    cudaError_t error = facet_error(facet_context_need());
    if (error == cudaSuccess && destination_device == source_device)
        return facet_copy(destination, source, bytes, cudaMemcpyDeviceToDevice, stream, waits);
    if (error == cudaSuccess)
        error = facet_context_of(destination_device, &to);
    if (error == cudaSuccess)
        error = facet_context_of(source_device, &from);
    if (error != cudaSuccess || bytes == 0)
        return error;
    if (waits)
        return facet_error(cuMemcpyPeer(device(destination), to, device(source), from, bytes));
    return facet_error(cuMemcpyPeerAsync(device(destination), to, device(source), from, bytes, stream));
}

cudaError_t facet_cudaMemcpyPeer(void *destination, int destination_device, const void *source, int source_device, size_t bytes)
{
    return facet_latch(copy_peer(destination, destination_device, source, source_device, bytes, NULL, true));
}

cudaError_t facet_cudaMemcpyPeerAsync(void *destination, int destination_device, const void *source, int source_device, size_t bytes,
                                      cudaStream_t stream)
{
    return facet_latch(copy_peer(destination, destination_device, source, source_device, bytes, stream, false));
}
