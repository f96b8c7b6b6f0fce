/* Arrays: making and describing them. */
#include "array.h"

enum { FORMAT_SIGNED = 0, FORMAT_UNSIGNED = 1, FORMAT_FLOAT = 2 };

/* Channels of equal width, from x on; 0 when it is something else. */
static unsigned channels(const struct cudaChannelFormatDesc *format)
{
    const int bits[] = {format->x, format->y, format->z, format->w};
    unsigned count = 0;
    while (count < 4 && bits[count] != 0)
        count++;
    for (unsigned i = 1; i < 4; i++)
        if (bits[i] != (i < count ? bits[0] : 0))
            return 0;
    return count == 3 ? 0 : count;
}

static const struct {
    int bits, kind;
    CUarray_format format;
} formats[] = {
    {8, FORMAT_UNSIGNED, CU_AD_FORMAT_UNSIGNED_INT8},
    {16, FORMAT_UNSIGNED, CU_AD_FORMAT_UNSIGNED_INT16},
    {32, FORMAT_UNSIGNED, CU_AD_FORMAT_UNSIGNED_INT32},
    {8, FORMAT_SIGNED, CU_AD_FORMAT_SIGNED_INT8},
    {16, FORMAT_SIGNED, CU_AD_FORMAT_SIGNED_INT16},
    {32, FORMAT_SIGNED, CU_AD_FORMAT_SIGNED_INT32},
    {16, FORMAT_FLOAT, CU_AD_FORMAT_HALF},
    {32, FORMAT_FLOAT, CU_AD_FORMAT_FLOAT},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

bool facet_format_known(const struct cudaChannelFormatDesc *wanted, CUarray_format *format, unsigned *count)
{
    *count = channels(wanted);
    unsigned i = 0;
    while (i < FORMATS && (formats[i].bits != wanted->x || formats[i].kind != wanted->f))
        i++;
    if (i == FORMATS || *count == 0)
        return false;
    *format = formats[i].format;
    return true;
}

/* What an array can be made of, in the driver's words. */
static cudaError_t describe(const struct cudaChannelFormatDesc *wanted, struct cudaExtent extent, unsigned flags, CUDA_ARRAY3D_DESCRIPTOR *whole)
{
    *whole = (CUDA_ARRAY3D_DESCRIPTOR){.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    if (wanted == NULL)
        return cudaErrorInvalidValue;
    return facet_format_known(wanted, &whole->Format, &whole->NumChannels) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t create(cudaArray_t *array, const struct cudaChannelFormatDesc *wanted, struct cudaExtent extent, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR whole;
    cudaError_t error = array == NULL ? cudaErrorInvalidValue : describe(wanted, extent, flags, &whole);
    if (error != cudaSuccess)
        return error;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuArray3DCreate_v2(array, &whole);
    return facet_error(result);
}

cudaError_t facet_cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                                           unsigned levels, unsigned flags)
{
    CUDA_ARRAY3D_DESCRIPTOR whole;
    cudaError_t error = array == NULL ? cudaErrorInvalidValue : describe(format, extent, flags, &whole);
    if (error != cudaSuccess)
        return facet_latch(error);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMipmappedArrayCreate(array, &whole, levels);
    return facet_finish(result);
}

cudaError_t facet_cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_t array, unsigned number)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuMipmappedArrayGetLevel(level, array, number);
    return facet_finish(result);
}

cudaError_t facet_cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && array != NULL)
        result = cuMipmappedArrayDestroy(array);
    return facet_finish(result);
}

cudaError_t facet_cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags)
{
    return facet_latch(create(array, format, (struct cudaExtent){.width = width, .height = height}, flags));
}

cudaError_t facet_cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags)
{
    return facet_latch(create(array, format, extent, flags));
}

cudaError_t facet_cudaFreeArray(cudaArray_t array)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && array != NULL)
        result = cuArrayDestroy(array);
    return facet_finish(result);
}

struct cudaChannelFormatDesc facet_format_of(CUarray_format format, unsigned count)
{
    unsigned i = 0;
    while (formats[i].format != format)
        i++;
    int bits = formats[i].bits;
    return (struct cudaChannelFormatDesc){
        .x = bits, .y = count > 1 ? bits : 0, .z = count > 2 ? bits : 0, .w = count > 2 ? bits : 0, .f = formats[i].kind};
}

cudaError_t facet_array_describe(cudaArray_t array, struct facet_array_shape *shape)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuArray3DGetDescriptor_v2(&shape->whole, array);
    if (result != CUDA_SUCCESS)
        return facet_error(result);
    shape->format = facet_format_of(shape->whole.Format, shape->whole.NumChannels);
    shape->element = (size_t)shape->format.x / 8 * shape->whole.NumChannels;
    return cudaSuccess;
}

cudaError_t facet_cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags, cudaArray_t array)
{
    struct facet_array_shape shape;
    cudaError_t error = facet_array_describe(array, &shape);
    if (error != cudaSuccess)
        return facet_latch(error);
    if (format != NULL)
        *format = shape.format;
    if (extent != NULL)
        *extent = (struct cudaExtent){.width = shape.whole.Width, .height = shape.whole.Height, .depth = shape.whole.Depth};
    if (flags != NULL)
        *flags = shape.whole.Flags;
    return cudaSuccess;
}

cudaError_t facet_cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_t array)
{
    return format == NULL ? facet_latch(cudaErrorInvalidValue) : facet_cudaArrayGetInfo(format, NULL, NULL, array);
}
