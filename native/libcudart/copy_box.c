/* Copies of rows and of boxes. There are no arrays: what names one is refused. */
#include <string.h>

#include "runtime.h"

/* What each side of a copy is, by its kind. Default: the pointers say. */
static CUmemorytype source_type(int kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return CU_MEMORYTYPE_HOST;
    case cudaMemcpyDeviceToHost:
    case cudaMemcpyDeviceToDevice:
        return CU_MEMORYTYPE_DEVICE;
    default:
        return CU_MEMORYTYPE_UNIFIED;
    }
}

static CUmemorytype destination_type(int kind)
{
    switch (kind) {
    case cudaMemcpyDeviceToHost:
        return CU_MEMORYTYPE_HOST;
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToDevice:
        return CU_MEMORYTYPE_DEVICE;
    default:
        return CU_MEMORYTYPE_UNIFIED;
    }
}

static cudaError_t copy(const CUDA_MEMCPY3D *box, cudaStream_t stream, bool waits)
{
    CUresult result;
    if (waits && stream == NULL)
        return facet_error(cuMemcpy3D_v2(box));
    result = cuMemcpy3DAsync_v2(box, stream);
    if (result == CUDA_SUCCESS && waits)
        result = cuStreamSynchronize(stream);
    return facet_error(result);
}

static void set_source(CUDA_MEMCPY3D *box, const void *pointer, size_t pitch, size_t height, CUmemorytype type)
{
    box->srcMemoryType = type;
    box->srcHost = type == CU_MEMORYTYPE_HOST ? pointer : NULL;
    box->srcDevice = type == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)pointer;
    box->srcPitch = pitch;
    box->srcHeight = height;
}

static void set_destination(CUDA_MEMCPY3D *box, void *pointer, size_t pitch, size_t height, CUmemorytype type)
{
    box->dstMemoryType = type;
    box->dstHost = type == CU_MEMORYTYPE_HOST ? pointer : NULL;
    box->dstDevice = type == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)pointer;
    box->dstPitch = pitch;
    box->dstHeight = height;
}

static cudaError_t copy_rows(void *destination, size_t destination_pitch, const void *source, size_t source_pitch, size_t width, size_t height, int kind,
                             cudaStream_t stream, bool waits)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || width == 0 || height == 0)
        return facet_error(result);
    if (width > destination_pitch || width > source_pitch)
        return cudaErrorInvalidPitchValue;
    CUDA_MEMCPY3D box;
    memset(&box, 0, sizeof box);
    set_source(&box, source, source_pitch, height, source_type(kind));
    set_destination(&box, destination, destination_pitch, height, destination_type(kind));
    box.WidthInBytes = width;
    box.Height = height;
    box.Depth = 1;
    return copy(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy2D(bool per_thread, void *destination, size_t destination_pitch, const void *source, size_t source_pitch, size_t width,
                               size_t height, int kind)
{
    return facet_latch(copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy2DAsync(bool per_thread, void *destination, size_t destination_pitch, const void *source, size_t source_pitch, size_t width,
                                    size_t height, int kind, cudaStream_t stream)
{
    return facet_latch(copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind, facet_stream(per_thread, stream), false));
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *copied, cudaStream_t stream, bool waits)
{
    if (copied == NULL)
        return cudaErrorInvalidValue;
    if (copied->srcArray != NULL || copied->dstArray != NULL)
        return cudaErrorNotSupported;
    if (copied->kind < cudaMemcpyHostToHost || copied->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    CUresult result = facet_context_need();
    const struct cudaExtent *extent = &copied->extent;
    if (result != CUDA_SUCCESS || extent->width == 0 || extent->height == 0 || extent->depth == 0)
        return facet_error(result);
    if (extent->width > copied->srcPtr.pitch || extent->width > copied->dstPtr.pitch)
        return cudaErrorInvalidPitchValue;
    CUDA_MEMCPY3D box;
    memset(&box, 0, sizeof box);
    set_source(&box, copied->srcPtr.ptr, copied->srcPtr.pitch, copied->srcPtr.ysize, source_type(copied->kind));
    set_destination(&box, copied->dstPtr.ptr, copied->dstPtr.pitch, copied->dstPtr.ysize, destination_type(copied->kind));
    box.srcXInBytes = copied->srcPos.x;
    box.srcY = copied->srcPos.y;
    box.srcZ = copied->srcPos.z;
    box.dstXInBytes = copied->dstPos.x;
    box.dstY = copied->dstPos.y;
    box.dstZ = copied->dstPos.z;
    box.WidthInBytes = extent->width;
    box.Height = extent->height;
    box.Depth = extent->depth;
    return copy(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy3D(bool per_thread, const struct cudaMemcpy3DParms *copied)
{
    return facet_latch(copy_box(copied, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy3DAsync(bool per_thread, const struct cudaMemcpy3DParms *copied, cudaStream_t stream)
{
    return facet_latch(copy_box(copied, facet_stream(per_thread, stream), false));
}

/* Between two devices only what the driver can: the same one. */
static cudaError_t copy_box_peer(const struct cudaMemcpy3DPeerParms *peers, cudaStream_t stream, bool waits)
{
    if (peers == NULL)
        return cudaErrorInvalidValue;
    if (peers->srcDevice != peers->dstDevice)
        return cudaErrorNotSupported;
    struct cudaMemcpy3DParms copied = {
        .srcArray = peers->srcArray,
        .srcPos = peers->srcPos,
        .srcPtr = peers->srcPtr,
        .dstArray = peers->dstArray,
        .dstPos = peers->dstPos,
        .dstPtr = peers->dstPtr,
        .extent = peers->extent,
        .kind = cudaMemcpyDeviceToDevice,
    };
    return copy_box(&copied, stream, waits);
}

cudaError_t facet_cudaMemcpy3DPeer(bool per_thread, const struct cudaMemcpy3DPeerParms *peers)
{
    return facet_latch(copy_box_peer(peers, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy3DPeerAsync(bool per_thread, const struct cudaMemcpy3DPeerParms *peers, cudaStream_t stream)
{
    return facet_latch(copy_box_peer(peers, facet_stream(per_thread, stream), false));
}
