/* Filling memory. The functions without Async may return before the device has done it, as CUDA's may. */
#include "runtime.h"

static CUresult fill_rows(CUdeviceptr address, size_t pitch, int value, size_t width, size_t rows, cudaStream_t stream, bool waits)
{
    if (waits && stream == NULL)
        return cuMemsetD2D8_v2(address, pitch, (unsigned char)value, width, rows);
    return cuMemsetD2D8Async(address, pitch, (unsigned char)value, width, rows, stream);
}

static cudaError_t fill(void *pointer, int value, size_t bytes, cudaStream_t stream, bool waits)
{
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || bytes == 0)
        return facet_error(result);
    if (waits && stream == NULL)
        return facet_error(cuMemsetD8_v2(address, (unsigned char)value, bytes));
    return facet_error(cuMemsetD8Async(address, (unsigned char)value, bytes, stream));
}

static cudaError_t fill_box(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream, bool waits)
{
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer.ptr;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || extent.width == 0 || extent.height == 0 || extent.depth == 0)
        return facet_error(result);
    if (extent.width > pointer.pitch && extent.height * extent.depth > 1)
        return cudaErrorInvalidValue;
    if (extent.depth == 1 || extent.height == pointer.ysize)
        return facet_error(fill_rows(address, pointer.pitch, value, extent.width, extent.height * extent.depth, stream, waits));
    if (extent.height > pointer.ysize)
        return cudaErrorInvalidValue;
    for (size_t z = 0; z < extent.depth && result == CUDA_SUCCESS; z++)
        result = fill_rows(address + z * pointer.pitch * pointer.ysize, pointer.pitch, value, extent.width, extent.height, stream, waits);
    return facet_error(result);
}

static cudaError_t fill_plane(void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream, bool waits)
{
    struct cudaPitchedPtr plane = {.ptr = pointer, .pitch = pitch, .xsize = width, .ysize = height};
    return fill_box(plane, value, (struct cudaExtent){width, height, 1}, stream, waits);
}

cudaError_t facet_cudaMemset(bool per_thread, void *pointer, int value, size_t bytes)
{
    return facet_latch(fill(pointer, value, bytes, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemsetAsync(bool per_thread, void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    return facet_latch(fill(pointer, value, bytes, facet_stream(per_thread, stream), false));
}

cudaError_t facet_cudaMemset2D(bool per_thread, void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return facet_latch(fill_plane(pointer, pitch, value, width, height, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemset2DAsync(bool per_thread, void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return facet_latch(fill_plane(pointer, pitch, value, width, height, facet_stream(per_thread, stream), false));
}

cudaError_t facet_cudaMemset3D(bool per_thread, struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
{
    return facet_latch(fill_box(pointer, value, extent, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemset3DAsync(bool per_thread, struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream)
{
    return facet_latch(fill_box(pointer, value, extent, facet_stream(per_thread, stream), false));
}
