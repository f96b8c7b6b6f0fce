/* Streams: which of them capture, and when they end. */
#include <stdatomic.h>

#include "time.h"
#include "vendor.h"

/* Captures that have begun and not ended, in the whole process. A capture whose stream is destroyed stays counted: then the vendor is asked
 * although nothing captures, which is slower and right. */
static _Atomic long captures;

bool facet_time_captured(CUstream stream)
{
    if (atomic_load_explicit(&captures, memory_order_relaxed) == 0)
        return false;
    CUstreamCaptureStatus status;
    return facet_vendor.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static CUresult begun(CUresult result)
{
    if (result != CUDA_SUCCESS)
        atomic_fetch_sub(&captures, 1);
    return result;
}

CUresult facet_direct_cuStreamBeginCapture(bool per_thread, CUstream stream)
{
    atomic_fetch_add(&captures, 1);
    return begun((per_thread ? facet_vendor.cuStreamBeginCapture_ptsz : facet_vendor.cuStreamBeginCapture)(stream));
}

CUresult facet_direct_cuStreamBeginCapture_v2(bool per_thread, CUstream stream, CUstreamCaptureMode mode)
{
    atomic_fetch_add(&captures, 1);
    return begun((per_thread ? facet_vendor.cuStreamBeginCapture_v2_ptsz : facet_vendor.cuStreamBeginCapture_v2)(stream, mode));
}

CUresult facet_direct_cuStreamBeginCaptureToGraph(bool per_thread, CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                                  const CUgraphEdgeData *edges, size_t count, CUstreamCaptureMode mode)
{
    atomic_fetch_add(&captures, 1);
    return begun((per_thread ? facet_vendor.cuStreamBeginCaptureToGraph_ptsz : facet_vendor.cuStreamBeginCaptureToGraph)(stream, graph, dependencies,
                                                                                                                         edges, count, mode));
}

/* An invalidated capture ends too, with an error. */
CUresult facet_direct_cuStreamEndCapture(bool per_thread, CUstream stream, CUgraph *graph)
{
    bool captured = facet_time_captured(stream == NULL && per_thread ? CU_STREAM_PER_THREAD : stream);
    CUresult result = (per_thread ? facet_vendor.cuStreamEndCapture_ptsz : facet_vendor.cuStreamEndCapture)(stream, graph);
    if (captured && !facet_time_captured(stream == NULL && per_thread ? CU_STREAM_PER_THREAD : stream))
        atomic_fetch_sub(&captures, 1);
    return result;
}

CUresult facet_direct_cuStreamDestroy_v2(CUstream stream)
{
    facet_time_stream_ends(stream);
    return facet_vendor.cuStreamDestroy_v2(stream);
}
