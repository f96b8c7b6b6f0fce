/* Copies of rows and of boxes. */
#include <string.h>

#include "array.h"

CUmemorytype facet_source_type(int kind)
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

CUmemorytype facet_destination_type(int kind)
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

cudaError_t facet_copy_box(const CUDA_MEMCPY3D *box, cudaStream_t stream, bool waits)
{
    CUresult result;
    if (waits && stream == NULL)
        return facet_error(cuMemcpy3D_v2(box));
    result = cuMemcpy3DAsync_v2(box, stream);
    if (result == CUDA_SUCCESS && waits)
        result = cuStreamSynchronize(stream);
    return facet_error(result);
}

void facet_set_source(CUDA_MEMCPY3D *box, const void *pointer, size_t pitch, size_t height, CUmemorytype type)
{
    box->srcMemoryType = type;
    box->srcHost = type == CU_MEMORYTYPE_HOST ? pointer : NULL;
    box->srcDevice = type == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)pointer;
    box->srcPitch = pitch;
    box->srcHeight = height;
}

void facet_set_destination(CUDA_MEMCPY3D *box, void *pointer, size_t pitch, size_t height, CUmemorytype type)
{
    box->dstMemoryType = type;
    box->dstHost = type == CU_MEMORYTYPE_HOST ? pointer : NULL;
    box->dstDevice = type == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)(uintptr_t)pointer;
    box->dstPitch = pitch;
    box->dstHeight = height;
}

static cudaError_t copy_rows(void *destination, size_t destination_pitch, const void *source, size_t source_pitch, size_t width, size_t height,
                             int kind, cudaStream_t stream, bool waits)
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
    facet_set_source(&box, source, source_pitch, height, facet_source_type(kind));
    facet_set_destination(&box, destination, destination_pitch, height, facet_destination_type(kind));
    box.WidthInBytes = width;
    box.Height = height;
    box.Depth = 1;
    return facet_copy_box(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy2D(bool per_thread, void *destination, size_t destination_pitch, const void *source, size_t source_pitch, size_t width,
                               size_t height, int kind)
{
    return facet_latch(copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy2DAsync(bool per_thread, void *destination, size_t destination_pitch, const void *source, size_t source_pitch,
                                    size_t width, size_t height, int kind, cudaStream_t stream)
{
    return facet_latch(copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind, facet_stream(per_thread, stream), false));
}

static cudaError_t array_element(cudaArray_t array, size_t *element)
{
    struct facet_array_shape shape;
    cudaError_t error = facet_array_describe(array, &shape);
    *element = error == cudaSuccess ? shape.element : 1;
    return error;
}

static cudaError_t set_source_side(CUDA_MEMCPY3D *box, const struct cudaMemcpy3DParms *copied, size_t *element)
{
    if (copied->srcArray == NULL) {
        facet_set_source(box, copied->srcPtr.ptr, copied->srcPtr.pitch, copied->srcPtr.ysize, facet_source_type(copied->kind));
        return cudaSuccess;
    }
    box->srcMemoryType = CU_MEMORYTYPE_ARRAY;
    box->srcArray = copied->srcArray;
    return array_element(copied->srcArray, element);
}

static cudaError_t set_destination_side(CUDA_MEMCPY3D *box, const struct cudaMemcpy3DParms *copied, size_t *element)
{
    if (copied->dstArray == NULL) {
        facet_set_destination(box, copied->dstPtr.ptr, copied->dstPtr.pitch, copied->dstPtr.ysize, facet_destination_type(copied->kind));
        return cudaSuccess;
    }
    box->dstMemoryType = CU_MEMORYTYPE_ARRAY;
    box->dstArray = copied->dstArray;
    return array_element(copied->dstArray, element);
}

cudaError_t facet_box_of(const struct cudaMemcpy3DParms *copied, CUDA_MEMCPY3D *into)
{
    if (copied == NULL)
        return cudaErrorInvalidValue;
    if ((copied->srcArray != NULL && copied->srcPtr.ptr != NULL) || (copied->dstArray != NULL && copied->dstPtr.ptr != NULL))
        return cudaErrorInvalidValue;
    if (copied->kind < cudaMemcpyHostToHost || copied->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    CUresult result = facet_context_need();
    const struct cudaExtent *extent = &copied->extent;
    memset(into, 0, sizeof *into);
    if (result != CUDA_SUCCESS || extent->width == 0 || extent->height == 0 || extent->depth == 0)
        return facet_error(result);
    CUDA_MEMCPY3D box;
    memset(&box, 0, sizeof box);
    size_t from_element = 1, to_element = 1;
    cudaError_t error = set_source_side(&box, copied, &from_element);
    if (error == cudaSuccess)
        error = set_destination_side(&box, copied, &to_element);
    if (error != cudaSuccess)
        return error;
    /* Places count elements of their side, the extent those of the array. */
    if (copied->srcArray != NULL && copied->dstArray != NULL && from_element != to_element)
        return cudaErrorInvalidValue;
    size_t element = copied->srcArray != NULL ? from_element : to_element;
    if (__builtin_mul_overflow(extent->width, element, &box.WidthInBytes) ||
        __builtin_mul_overflow(copied->srcPos.x, from_element, &box.srcXInBytes) ||
        __builtin_mul_overflow(copied->dstPos.x, to_element, &box.dstXInBytes))
        return cudaErrorInvalidValue;
    if ((copied->srcArray == NULL && box.WidthInBytes > box.srcPitch) || (copied->dstArray == NULL && box.WidthInBytes > box.dstPitch))
        return cudaErrorInvalidPitchValue;
    box.srcY = copied->srcPos.y;
    box.srcZ = copied->srcPos.z;
    box.dstY = copied->dstPos.y;
    box.dstZ = copied->dstPos.z;
    box.Height = extent->height;
    box.Depth = extent->depth;
    *into = box;
    return cudaSuccess;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *copied, cudaStream_t stream, bool waits)
{
    CUDA_MEMCPY3D box;
    cudaError_t error = facet_box_of(copied, &box);
    return error != cudaSuccess || box.Depth == 0 ? error : facet_copy_box(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy3D(bool per_thread, const struct cudaMemcpy3DParms *copied)
{
    return facet_latch(copy_box(copied, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy3DAsync(bool per_thread, const struct cudaMemcpy3DParms *copied, cudaStream_t stream)
{
    return facet_latch(copy_box(copied, facet_stream(per_thread, stream), false));
}

/* Which device an address belongs to the driver knows; the devices that are named must be there. */
static cudaError_t copy_box_peer(const struct cudaMemcpy3DPeerParms *peers, cudaStream_t stream, bool waits)
{
    if (peers == NULL)
        return cudaErrorInvalidValue;
    CUcontext context;
    cudaError_t error = facet_error(facet_context_need());
    if (error == cudaSuccess)
        error = facet_context_of(peers->dstDevice, &context);
    if (error == cudaSuccess)
        error = facet_context_of(peers->srcDevice, &context);
    if (error != cudaSuccess)
        return error;
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
