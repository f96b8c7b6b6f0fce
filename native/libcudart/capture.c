/* Questions about stream capture, which there is not: nothing is ever being captured. */
#include "runtime.h"

enum { NONE = 0, RELAXED = 2 }; /* cudaStreamCaptureStatusNone, cudaStreamCaptureModeRelaxed */

static _Thread_local int mode __attribute__((tls_model("initial-exec"))); /* cudaStreamCaptureModeGlobal at first */

cudaError_t facet_cudaThreadExchangeStreamCaptureMode(int *exchanged)
{
    if (exchanged == NULL || *exchanged < 0 || *exchanged > RELAXED)
        return facet_latch(cudaErrorInvalidValue);
    int before = mode;
    mode = *exchanged;
    *exchanged = before;
    return cudaSuccess;
}

cudaError_t facet_cudaStreamIsCapturing(bool per_thread, cudaStream_t stream, int *status)
{
    (void)per_thread;
    (void)stream;
    if (status == NULL)
        return facet_latch(cudaErrorInvalidValue);
    *status = NONE;
    return facet_finish(facet_context_need());
}

cudaError_t facet_cudaStreamGetCaptureInfo_10(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id)
{
    if (id != NULL)
        *id = 0;
    return facet_cudaStreamIsCapturing(per_thread, stream, status);
}

cudaError_t facet_cudaStreamGetCaptureInfo_11(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id, void **graph,
                                              const void **dependencies, size_t *count)
{
    if (graph != NULL)
        *graph = NULL;
    if (dependencies != NULL)
        *dependencies = NULL;
    if (count != NULL)
        *count = 0;
    return facet_cudaStreamGetCaptureInfo_10(per_thread, stream, status, id);
}

cudaError_t facet_cudaStreamGetCaptureInfo_13(bool per_thread, cudaStream_t stream, int *status, unsigned long long *id, void **graph,
                                              const void **dependencies, const void **edges, size_t *count)
{
    if (edges != NULL)
        *edges = NULL;
    return facet_cudaStreamGetCaptureInfo_11(per_thread, stream, status, id, graph, dependencies, count);
}
