/* Texture and surface objects: from the program's descriptions to one that the host understands. */
#include "texture.h"

#include <string.h>

#include "context.h"

enum { ID_BITS = 20, MOST_LINEAR = 1 << 27 };

/* As commands.table says. */
struct level {
    uint64_t address, pitch, slice;
    uint32_t width, height, depth, unused;
};

/* A texture while it is described. */
struct plan {
    CUarray_format format;
    unsigned channels;
    unsigned flags; /* of the array */
    unsigned count;
    struct level levels[FACET_MOST_LEVELS];
};

static uint32_t at_least_one(size_t size)
{
    return size == 0 ? 1 : (uint32_t)size;
}

static void add_level(struct plan *plan, const struct facet_array *array)
{
    const CUDA_ARRAY3D_DESCRIPTOR *whole = &array->descriptor;
    plan->format = whole->Format;
    plan->channels = whole->NumChannels;
    plan->flags = whole->Flags;
    plan->levels[plan->count++] = (struct level){.address = array->address,
                                                 .pitch = array->pitch,
                                                 .slice = array->pitch * array->rows,
                                                 .width = at_least_one(whole->Width),
                                                 .height = at_least_one(whole->Height),
                                                 .depth = at_least_one(whole->Depth)};
}

static bool is_element(CUarray_format format, unsigned channels)
{
    return facet_format_bytes(format) != 0 && (channels == 1 || channels == 2 || channels == 4);
}

static CUresult plan_linear(struct plan *plan, const CUDA_RESOURCE_DESC *resource)
{
    plan->format = resource->res.linear.format;
    plan->channels = resource->res.linear.numChannels;
    uint64_t address = resource->res.linear.devPtr, bytes = resource->res.linear.sizeInBytes;
    if (!is_element(plan->format, plan->channels) || address == 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t element = facet_format_bytes(plan->format) * plan->channels, count = bytes / element;
    if (count == 0 || count > MOST_LINEAR || address % element != 0)
        return CUDA_ERROR_INVALID_VALUE;
    plan->levels[plan->count++] =
        (struct level){.address = address, .pitch = bytes, .slice = bytes, .width = (uint32_t)count, .height = 1, .depth = 1};
    return CUDA_SUCCESS;
}

static CUresult plan_rows(struct plan *plan, const CUDA_RESOURCE_DESC *resource)
{
    plan->format = resource->res.pitch2D.format;
    plan->channels = resource->res.pitch2D.numChannels;
    uint64_t address = resource->res.pitch2D.devPtr, pitch = resource->res.pitch2D.pitchInBytes;
    uint64_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    if (!is_element(plan->format, plan->channels) || address == 0 || width == 0 || height == 0 || width > 131072 || height > 65536)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t element = facet_format_bytes(plan->format) * plan->channels;
    if (pitch < width * element || pitch % element != 0 || address % element != 0 || pitch > UINT32_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    plan->levels[plan->count++] =
        (struct level){.address = address, .pitch = pitch, .slice = pitch * height, .width = (uint32_t)width, .height = (uint32_t)height, .depth = 1};
    return CUDA_SUCCESS;
}

static CUresult plan_resource(struct plan *plan, struct facet_context *context, const CUDA_RESOURCE_DESC *resource)
{
    const struct facet_array *array;
    const struct facet_mipmap *mipmap;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        array = facet_array_filled(resource->res.array.hArray);
        if (array == NULL || array->object.context != context)
            return CUDA_ERROR_INVALID_HANDLE;
        add_level(plan, array);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        mipmap = facet_object(resource->res.mipmap.hMipmappedArray, FACET_MIPMAP);
        if (mipmap == NULL || mipmap->empty || mipmap->object.context != context)
            return CUDA_ERROR_INVALID_HANDLE;
        for (unsigned i = 0; i < mipmap->count; i++)
            add_level(plan, mipmap->levels[i]);
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        return plan_linear(plan, resource);
    case CU_RESOURCE_TYPE_PITCH2D:
        return plan_rows(plan, resource);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* Formats of views, three of a kind: of one, two and four channels. */
static const CUarray_format view_formats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_SIGNED_INT8,    CU_AD_FORMAT_UNSIGNED_INT16,
                                              CU_AD_FORMAT_SIGNED_INT16,  CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
                                              CU_AD_FORMAT_HALF,          CU_AD_FORMAT_FLOAT};

/* Another format of the same size, and a part of levels and layers. */
static CUresult look_through(struct plan *plan, const CUDA_RESOURCE_VIEW_DESC *view)
{
    if (view->format != CU_RES_VIEW_FORMAT_NONE) {
        if (view->format > CU_RES_VIEW_FORMAT_FLOAT_4X32)
            return facet_unsupported("views of textures in compressed formats");
        unsigned number = (unsigned)view->format - CU_RES_VIEW_FORMAT_UINT_1X8;
        CUarray_format format = view_formats[number / 3];
        unsigned channels = 1U << number % 3;
        if (facet_format_bytes(format) * channels != facet_format_bytes(plan->format) * plan->channels)
            return CUDA_ERROR_INVALID_VALUE;
        plan->format = format;
        plan->channels = channels;
    }
    unsigned first = view->firstMipmapLevel, last = view->lastMipmapLevel;
    unsigned layer = view->firstLayer, last_layer = view->lastLayer;
    bool layered = (plan->flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
    if (first > last || last >= plan->count || layer > last_layer || last_layer >= plan->levels[0].depth || (!layered && last_layer != 0))
        return CUDA_ERROR_INVALID_VALUE;
    plan->count = last - first + 1;
    memmove(plan->levels, plan->levels + first, plan->count * sizeof plan->levels[0]);
    for (unsigned i = 0; layered && last_layer != 0 && i < plan->count; i++) {
        plan->levels[i].address += layer * plan->levels[i].slice;
        plan->levels[i].depth = last_layer - layer + 1;
    }
    return CUDA_SUCCESS;
}

static bool is_edge(CUaddress_mode mode)
{
    return mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER;
}

static CUresult check_texture(const CUDA_TEXTURE_DESC *texture)
{
    const unsigned known =
        CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
    bool valid = (texture->flags & ~known) == 0 && is_edge(texture->addressMode[0]) && is_edge(texture->addressMode[1]) &&
                 is_edge(texture->addressMode[2]) && texture->filterMode >= CU_TR_FILTER_MODE_POINT &&
                 texture->filterMode <= CU_TR_FILTER_MODE_LINEAR && texture->mipmapFilterMode >= CU_TR_FILTER_MODE_POINT &&
                 texture->mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR && texture->maxAnisotropy <= 16;
    return valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult post(struct facet_context *context, const struct facet_texture *made, const struct plan *plan)
{
    const CUDA_TEXTURE_DESC *texture = &made->texture;
    return facet_post_texture_create(context->object.id, made->handle, made->surface, (uint32_t)made->resource.resType, plan->flags,
                                     (uint32_t)plan->format, plan->channels, texture->flags, (uint32_t)texture->addressMode[0],
                                     (uint32_t)texture->addressMode[1], (uint32_t)texture->addressMode[2], (uint32_t)texture->filterMode,
                                     (uint32_t)texture->mipmapFilterMode, texture->mipmapLevelBias, texture->minMipmapLevelClamp,
                                     texture->maxMipmapLevelClamp, texture->borderColor[0], texture->borderColor[1], texture->borderColor[2],
                                     texture->borderColor[3], plan->levels, (uint32_t)(plan->count * sizeof plan->levels[0]));
}

CUresult facet_texture_create(struct facet_context *context, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                              const CUDA_RESOURCE_VIEW_DESC *view, uint64_t *handle)
{
    static _Atomic uint64_t made_so_far;
    struct plan plan = {0};
    CUresult result = resource->flags != 0 ? CUDA_ERROR_INVALID_VALUE : plan_resource(&plan, context, resource);
    if (result == CUDA_SUCCESS && view != NULL)
        result = look_through(&plan, view);
    if (result == CUDA_SUCCESS && texture != NULL)
        result = check_texture(texture);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_texture *made = facet_object_create(FACET_TEXTURE, context);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->resource = *resource;
    made->surface = texture == NULL;
    if (texture != NULL)
        made->texture = *texture;
    made->viewed = view != NULL;
    if (view != NULL)
        made->view = *view;
    made->handle = ++made_so_far << ID_BITS | made->object.id;
    result = post(context, made, &plan);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(made);
        return result;
    }
    *handle = made->handle;
    return CUDA_SUCCESS;
}

static CUresult find(uint64_t handle, bool surface, struct facet_texture **found)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *found = facet_object_with_id(FACET_TEXTURE, (uint32_t)(handle & ((1U << ID_BITS) - 1)));
    bool same = *found != NULL && (*found)->handle == handle && (*found)->surface == surface;
    return same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult facet_texture_destroy(uint64_t handle, bool surface)
{
    struct facet_texture *texture;
    CUresult result = find(handle, surface, &texture);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_post_texture_destroy(texture->object.context->object.id, handle);
    facet_object_destroy(texture);
    return result;
}

CUresult facet_cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                                 const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (resource == NULL || texture == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    bool array = resource->resType == CU_RESOURCE_TYPE_ARRAY || resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    if (view != NULL && !array)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t handle;
    result = facet_texture_create(context, resource, texture, view, &handle);
    if (result == CUDA_SUCCESS)
        *object = handle;
    return result;
}

CUresult facet_cuTexObjectDestroy(CUtexObject object)
{
    return facet_texture_destroy(object, false);
}

CUresult facet_cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object)
{
    struct facet_texture *texture;
    CUresult result = find(object, false, &texture);
    if (result == CUDA_SUCCESS)
        *resource = texture->resource;
    return result;
}

CUresult facet_cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *description, CUtexObject object)
{
    struct facet_texture *texture;
    CUresult result = find(object, false, &texture);
    if (result == CUDA_SUCCESS)
        *description = texture->texture;
    return result;
}

CUresult facet_cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object)
{
    struct facet_texture *texture;
    CUresult result = find(object, false, &texture);
    if (result == CUDA_SUCCESS && !texture->viewed)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *view = texture->view;
    return result;
}

CUresult facet_cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (resource == NULL || resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t handle;
    result = facet_texture_create(context, resource, NULL, NULL, &handle);
    if (result == CUDA_SUCCESS)
        *object = handle;
    return result;
}

CUresult facet_cuSurfObjectDestroy(CUsurfObject object)
{
    return facet_texture_destroy(object, true);
}

CUresult facet_cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object)
{
    struct facet_texture *surface;
    CUresult result = find(object, true, &surface);
    if (result == CUDA_SUCCESS)
        *resource = surface->resource;
    return result;
}
