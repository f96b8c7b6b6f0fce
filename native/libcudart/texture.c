/* Texture and surface objects: from the runtime's descriptions to the driver's and back. */
#include <string.h>

#include "array.h"

enum { READ_ELEMENTS = 0, READ_FRACTIONS = 1 };

static cudaError_t to_driver(const struct cudaResourceDesc *from, CUDA_RESOURCE_DESC *to)
{
    memset(to, 0, sizeof *to);
    to->resType = (CUresourcetype)from->resType;
    to->flags = from->flags;
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        to->res.array.hArray = from->res.array.array;
        return cudaSuccess;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        to->res.mipmap.hMipmappedArray = from->res.mipmap.mipmap;
        return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (uintptr_t)from->res.linear.devPtr;
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        return facet_format_known(&from->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels) ? cudaSuccess
                                                                                                               : cudaErrorInvalidChannelDescriptor;
    case CU_RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        return facet_format_known(&from->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels) ? cudaSuccess
                                                                                                                  : cudaErrorInvalidChannelDescriptor;
    default:
        return cudaErrorInvalidValue;
    }
}

static void from_driver(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to)
{
    memset(to, 0, sizeof *to);
    to->resType = from->resType;
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        to->res.array.array = from->res.array.hArray;
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        to->res.mipmap.mipmap = from->res.mipmap.hMipmappedArray;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
        to->res.linear.desc = facet_format_of(from->res.linear.format, from->res.linear.numChannels);
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        break;
    default:
        to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.desc = facet_format_of(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        break;
    }
}

/* What an element of the resource is; false when it cannot be told. */
static bool element(const CUDA_RESOURCE_DESC *resource, CUarray_format *format)
{
    CUDA_ARRAY3D_DESCRIPTOR whole;
    CUarray array = resource->res.array.hArray;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        if (cuMipmappedArrayGetLevel(&array, resource->res.mipmap.hMipmappedArray, 0) != CUDA_SUCCESS)
            return false;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        *format = resource->res.linear.format;
        return true;
    case CU_RESOURCE_TYPE_PITCH2D:
        *format = resource->res.pitch2D.format;
        return true;
    default:
        break;
    }
    if (cuArray3DGetDescriptor_v2(&whole, array) != CUDA_SUCCESS)
        return false;
    *format = whole.Format;
    return true;
}

/* Elements that are filtered must be numbers with fractions, and not all integers can be read so. */
static cudaError_t check_reading(const CUDA_RESOURCE_DESC *resource, const struct cudaTextureDesc *texture, bool viewed)
{
    CUarray_format format;
    if (viewed || resource->resType == CU_RESOURCE_TYPE_LINEAR || !element(resource, &format))
        return cudaSuccess;
    bool floats = format == CU_AD_FORMAT_FLOAT || format == CU_AD_FORMAT_HALF;
    bool wide = format == CU_AD_FORMAT_UNSIGNED_INT32 || format == CU_AD_FORMAT_SIGNED_INT32;
    if (texture->readMode == READ_FRACTIONS && wide)
        return cudaErrorInvalidNormSetting;
    bool filtered = texture->filterMode == CU_TR_FILTER_MODE_LINEAR;
    return filtered && !floats && texture->readMode == READ_ELEMENTS ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

static CUDA_TEXTURE_DESC texture_to_driver(const struct cudaTextureDesc *from)
{
    CUDA_TEXTURE_DESC to;
    memset(&to, 0, sizeof to);
    for (int i = 0; i < 3; i++)
        to.addressMode[i] = (CUaddress_mode)from->addressMode[i];
    for (int i = 0; i < 4; i++)
        to.borderColor[i] = from->borderColor[i];
    to.filterMode = (CUfilter_mode)from->filterMode;
    to.flags = (from->readMode == READ_ELEMENTS ? (unsigned)CU_TRSF_READ_AS_INTEGER : 0U) |
               (from->normalizedCoords != 0 ? (unsigned)CU_TRSF_NORMALIZED_COORDINATES : 0U) | (from->sRGB != 0 ? (unsigned)CU_TRSF_SRGB : 0U) |
               (from->disableTrilinearOptimization != 0 ? (unsigned)CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0U) |
               (from->seamlessCubemap != 0 ? (unsigned)CU_TRSF_SEAMLESS_CUBEMAP : 0U);
    to.maxAnisotropy = from->maxAnisotropy;
    to.mipmapFilterMode = (CUfilter_mode)from->mipmapFilterMode;
    to.mipmapLevelBias = from->mipmapLevelBias;
    to.minMipmapLevelClamp = from->minMipmapLevelClamp;
    to.maxMipmapLevelClamp = from->maxMipmapLevelClamp;
    return to;
}

static struct cudaTextureDesc texture_from_driver(const CUDA_TEXTURE_DESC *from)
{
    struct cudaTextureDesc to;
    memset(&to, 0, sizeof to);
    for (int i = 0; i < 3; i++)
        to.addressMode[i] = from->addressMode[i];
    for (int i = 0; i < 4; i++)
        to.borderColor[i] = from->borderColor[i];
    to.filterMode = from->filterMode;
    to.readMode = (from->flags & CU_TRSF_READ_AS_INTEGER) != 0 ? READ_ELEMENTS : READ_FRACTIONS;
    to.normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    to.sRGB = (from->flags & CU_TRSF_SRGB) != 0;
    to.disableTrilinearOptimization = (from->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
    to.seamlessCubemap = (from->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    to.maxAnisotropy = from->maxAnisotropy;
    to.mipmapFilterMode = from->mipmapFilterMode;
    to.mipmapLevelBias = from->mipmapLevelBias;
    to.minMipmapLevelClamp = from->minMipmapLevelClamp;
    to.maxMipmapLevelClamp = from->maxMipmapLevelClamp;
    return to;
}

cudaError_t facet_cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *texture,
                                          const struct cudaResourceViewDesc *view)
{
    CUDA_RESOURCE_DESC resource_to;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS)
        return facet_finish(result);
    if (object == NULL || resource == NULL || texture == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = to_driver(resource, &resource_to);
    if (error == cudaSuccess)
        error = check_reading(&resource_to, texture, view != NULL);
    if (error != cudaSuccess)
        return facet_latch(error);
    CUDA_TEXTURE_DESC texture_to = texture_to_driver(texture);
    /* Both have the same fields and numbers. */
    CUDA_RESOURCE_VIEW_DESC view_to;
    _Static_assert(sizeof view_to == sizeof *view, "views differ");
    if (view != NULL)
        memcpy(&view_to, view, sizeof view_to);
    return facet_finish(cuTexObjectCreate(object, &resource_to, &texture_to, view == NULL ? NULL : &view_to));
}

/* Nothing is destroyed where there is nothing, as by cudaFree. */
cudaError_t facet_cudaDestroyTextureObject(cudaTextureObject_t object)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && object != 0)
        result = cuTexObjectDestroy(object);
    return facet_finish(result);
}

cudaError_t facet_cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{
    CUDA_RESOURCE_DESC found;
    if (resource == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuTexObjectGetResourceDesc(&found, object);
    if (result == CUDA_SUCCESS)
        from_driver(&found, resource);
    return facet_finish(result);
}

cudaError_t facet_cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{
    CUDA_TEXTURE_DESC found;
    if (texture == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuTexObjectGetTextureDesc(&found, object);
    if (result == CUDA_SUCCESS)
        *texture = texture_from_driver(&found);
    return facet_finish(result);
}

cudaError_t facet_cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t object)
{
    CUDA_RESOURCE_VIEW_DESC found;
    if (view == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuTexObjectGetResourceViewDesc(&found, object);
    if (result == CUDA_SUCCESS)
        memcpy(view, &found, sizeof *view);
    return facet_finish(result);
}

cudaError_t facet_cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC resource_to;
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS)
        return facet_finish(result);
    if (object == NULL || resource == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = to_driver(resource, &resource_to);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuSurfObjectCreate(object, &resource_to));
}

cudaError_t facet_cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS && object != 0)
        result = cuSurfObjectDestroy(object);
    return facet_finish(result);
}

cudaError_t facet_cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object)
{
    CUDA_RESOURCE_DESC found;
    if (resource == NULL)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuSurfObjectGetResourceDesc(&found, object);
    if (result == CUDA_SUCCESS)
        from_driver(&found, resource);
    return facet_finish(result);
}

cudaError_t facet_cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements, const struct cudaChannelFormatDesc *format, int device)
{
    CUarray_format known;
    unsigned channels;
    if (elements == NULL || format == NULL)
        return facet_latch(cudaErrorInvalidValue);
    if (!facet_format_known(format, &known, &channels))
        return facet_latch(cudaErrorInvalidChannelDescriptor);
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuDeviceGetTexture1DLinearMaxWidth(elements, known, channels, device);
    return facet_finish(result);
}
