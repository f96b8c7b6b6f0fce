/* References of old modules: variables that name a texture or surface. A kernel finds in the variable the handle of the object that is
 * bound to it, so binding is making an object and writing its handle there. */
#include <string.h>

#include "module.h"
#include "texture.h"

static CUresult find(const void *handle, bool surface, struct facet_texture_reference **found)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *found = facet_object(handle, FACET_TEXTURE_REFERENCE);
    return *found == NULL || (*found)->surface != surface ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static struct facet_texture_reference *create(struct facet_context *context, uint64_t variable, bool surface)
{
    struct facet_texture_reference *made = facet_object_create(FACET_TEXTURE_REFERENCE, context);
    if (made == NULL)
        return NULL;
    made->variable = variable;
    made->surface = surface;
    made->format = CU_AD_FORMAT_FLOAT;
    made->channels = 1;
    for (int i = 0; i < 3; i++)
        made->texture.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    return made;
}

/* Makes what the reference says now known to kernels that are launched from now on. */
static CUresult bind(struct facet_texture_reference *reference)
{
    if (!reference->bound || reference->variable == 0)
        return CUDA_SUCCESS;
    CUDA_RESOURCE_DESC resource = reference->resource;
    if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
        resource.res.linear.format = reference->format;
        resource.res.linear.numChannels = reference->channels;
    }
    uint64_t handle, before = reference->handle;
    CUresult result = facet_texture_create(reference->object.context, &resource, reference->surface ? NULL : &reference->texture, NULL, &handle);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_cuMemcpyHtoD_v2(false, reference->variable, &handle, sizeof handle);
    if (result != CUDA_SUCCESS) {
        facet_texture_destroy(handle, reference->surface);
        return result;
    }
    reference->handle = handle;
    return before == 0 ? CUDA_SUCCESS : facet_texture_destroy(before, reference->surface);
}

struct search {
    uint64_t variable;
    bool surface;
    struct facet_texture_reference *found;
};

static void compare(void *object, void *data)
{
    struct facet_texture_reference *reference = object;
    struct search *search = data;
    if (reference->variable == search->variable && reference->surface == search->surface)
        search->found = reference;
}

/* The same one each time. */
static CUresult of_module(CUmodule module, const char *name, bool surface, struct facet_texture_reference **found)
{
    struct facet_context *context;
    CUdeviceptr variable;
    size_t bytes;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_cuModuleGetGlobal_v2(&variable, &bytes, module, name);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes != sizeof(uint64_t))
        return CUDA_ERROR_NOT_FOUND;
    struct search search = {.variable = variable, .surface = surface};
    facet_object_each(FACET_TEXTURE_REFERENCE, context, compare, &search);
    *found = search.found != NULL ? search.found : create(context, variable, surface);
    if (*found == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*found)->module = ((struct facet_module *)(void *)module)->object.id;
    return CUDA_SUCCESS;
}

static void drop(void *object, void *data)
{
    struct facet_texture_reference *reference = object;
    const struct facet_module *module = data;
    if (reference->variable == 0 || reference->module != module->object.id)
        return;
    if (reference->handle != 0)
        facet_texture_destroy(reference->handle, reference->surface);
    facet_object_destroy(reference);
}

void facet_texture_references_forget(struct facet_module *module)
{
    facet_object_each(FACET_TEXTURE_REFERENCE, module->object.context, drop, module);
}

CUresult facet_cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name)
{
    struct facet_texture_reference *found;
    CUresult result = of_module(module, name, false, &found);
    if (result == CUDA_SUCCESS)
        *reference = (CUtexref)(void *)found;
    return result;
}

CUresult facet_cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name)
{
    struct facet_texture_reference *found;
    CUresult result = of_module(module, name, true, &found);
    if (result == CUDA_SUCCESS)
        *reference = (CUsurfref)(void *)found;
    return result;
}

/* One that belongs to no module: it keeps what it is told. */
CUresult facet_cuTexRefCreate(CUtexref *reference)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_texture_reference *made = create(context, 0, false);
    *reference = (CUtexref)(void *)made;
    return made == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult facet_cuTexRefDestroy(CUtexref handle)
{
    struct facet_texture_reference *reference;
    CUresult result = find(handle, false, &reference);
    if (result == CUDA_SUCCESS && reference->variable != 0)
        result = CUDA_ERROR_INVALID_VALUE; /* it goes with its module */
    if (result == CUDA_SUCCESS)
        facet_object_destroy(reference);
    return result;
}

static CUresult bind_to(struct facet_texture_reference *reference, const CUDA_RESOURCE_DESC *resource)
{
    CUDA_RESOURCE_DESC before = reference->resource;
    bool was_bound = reference->bound;
    reference->resource = *resource;
    reference->bound = true;
    CUresult result = bind(reference);
    if (result != CUDA_SUCCESS) {
        reference->resource = before;
        reference->bound = was_bound;
    }
    return result;
}

CUresult facet_cuTexRefSetArray(CUtexref handle, CUarray array, unsigned int flags)
{
    struct facet_texture_reference *reference;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUresult result = find(handle, false, &reference);
    if (result == CUDA_SUCCESS && flags != CU_TRSA_OVERRIDE_FORMAT)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? bind_to(reference, &resource) : result;
}

CUresult facet_cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array, unsigned int flags)
{
    struct facet_texture_reference *reference;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = array};
    CUresult result = find(handle, false, &reference);
    if (result == CUDA_SUCCESS && flags != CU_TRSA_OVERRIDE_FORMAT)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? bind_to(reference, &resource) : result;
}

/* Any address that is aligned to an element is good, so that no offset is left. */
CUresult facet_cuTexRefSetAddress_v2(size_t *offset, CUtexref handle, CUdeviceptr address, size_t bytes)
{
    struct facet_texture_reference *reference;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR, .res.linear = {.devPtr = address, .sizeInBytes = bytes}};
    CUresult result = find(handle, false, &reference);
    if (result == CUDA_SUCCESS)
        result = bind_to(reference, &resource);
    if (result == CUDA_SUCCESS && offset != NULL)
        *offset = 0;
    return result;
}

CUresult facet_cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *rows, CUdeviceptr address, size_t pitch)
{
    struct facet_texture_reference *reference;
    CUresult result = find(handle, false, &reference);
    if (result != CUDA_SUCCESS)
        return result;
    if (rows == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D,
                                   .res.pitch2D = {.devPtr = address,
                                                   .format = rows->Format,
                                                   .numChannels = rows->NumChannels,
                                                   .width = rows->Width,
                                                   .height = rows->Height,
                                                   .pitchInBytes = pitch}};
    return bind_to(reference, &resource);
}

CUresult facet_cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels)
{
    struct facet_texture_reference *reference;
    CUresult result = find(handle, false, &reference);
    if (result != CUDA_SUCCESS)
        return result;
    if (facet_format_bytes(format) == 0 || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    reference->format = format;
    reference->channels = (unsigned)channels;
    return bind(reference);
}

/* What is wrong is told at the call, and the reference stays as it was. */
static CUresult change(struct facet_texture_reference *reference, const CUDA_TEXTURE_DESC *wanted)
{
    CUDA_TEXTURE_DESC before = reference->texture;
    reference->texture = *wanted;
    CUresult result = bind(reference);
    if (result != CUDA_SUCCESS)
        reference->texture = before;
    return result;
}

#define SETTER(name, parameters, condition, assignment)    \
    CUresult facet_##name parameters                       \
    {                                                      \
        struct facet_texture_reference *reference;         \
        CUresult result = find(handle, false, &reference); \
        if (result != CUDA_SUCCESS)                        \
            return result;                                 \
        if (!(condition))                                  \
            return CUDA_ERROR_INVALID_VALUE;               \
        CUDA_TEXTURE_DESC wanted = reference->texture;     \
        assignment;                                        \
        return change(reference, &wanted);                 \
    }

SETTER(cuTexRefSetAddressMode, (CUtexref handle, int axis, CUaddress_mode mode),
       axis >= 0 && axis < 3 && mode >= CU_TR_ADDRESS_MODE_WRAP && mode <= CU_TR_ADDRESS_MODE_BORDER, wanted.addressMode[axis] = mode)
SETTER(cuTexRefSetFilterMode, (CUtexref handle, CUfilter_mode mode), mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR,
       wanted.filterMode = mode)
SETTER(cuTexRefSetMipmapFilterMode, (CUtexref handle, CUfilter_mode mode), mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR,
       wanted.mipmapFilterMode = mode)
SETTER(cuTexRefSetMipmapLevelBias, (CUtexref handle, float bias), true, wanted.mipmapLevelBias = bias)
SETTER(cuTexRefSetMipmapLevelClamp, (CUtexref handle, float lowest, float highest), true,
       (wanted.minMipmapLevelClamp = lowest, wanted.maxMipmapLevelClamp = highest))
SETTER(cuTexRefSetMaxAnisotropy, (CUtexref handle, unsigned int most), most <= 16, wanted.maxAnisotropy = most)
SETTER(cuTexRefSetBorderColor, (CUtexref handle, float *color), color != NULL, memcpy(wanted.borderColor, color, sizeof wanted.borderColor))
SETTER(cuTexRefSetFlags, (CUtexref handle, unsigned int flags), true, wanted.flags = flags)

#define GETTER(name, parameters, condition, assignment)    \
    CUresult facet_##name parameters                       \
    {                                                      \
        struct facet_texture_reference *reference;         \
        CUresult result = find(handle, false, &reference); \
        if (result != CUDA_SUCCESS)                        \
            return result;                                 \
        if (!(condition))                                  \
            return CUDA_ERROR_INVALID_VALUE;               \
        assignment;                                        \
        return CUDA_SUCCESS;                               \
    }

#define BOUND_TO(type) (reference->bound && reference->resource.resType == (type))

GETTER(cuTexRefGetAddress_v2, (CUdeviceptr * address, CUtexref handle), BOUND_TO(CU_RESOURCE_TYPE_LINEAR) || BOUND_TO(CU_RESOURCE_TYPE_PITCH2D),
       *address = BOUND_TO(CU_RESOURCE_TYPE_LINEAR) ? reference->resource.res.linear.devPtr : reference->resource.res.pitch2D.devPtr)
GETTER(cuTexRefGetArray, (CUarray * array, CUtexref handle), BOUND_TO(CU_RESOURCE_TYPE_ARRAY), *array = reference->resource.res.array.hArray)
GETTER(cuTexRefGetMipmappedArray, (CUmipmappedArray * array, CUtexref handle), BOUND_TO(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY),
       *array = reference->resource.res.mipmap.hMipmappedArray)
GETTER(cuTexRefGetAddressMode, (CUaddress_mode * mode, CUtexref handle, int axis), axis >= 0 && axis < 3,
       *mode = reference->texture.addressMode[axis])
GETTER(cuTexRefGetFilterMode, (CUfilter_mode * mode, CUtexref handle), true, *mode = reference->texture.filterMode)
GETTER(cuTexRefGetFormat, (CUarray_format * format, int *channels, CUtexref handle), true,
       (*format = reference->format, *channels = (int)reference->channels))
GETTER(cuTexRefGetMipmapFilterMode, (CUfilter_mode * mode, CUtexref handle), true, *mode = reference->texture.mipmapFilterMode)
GETTER(cuTexRefGetMipmapLevelBias, (float *bias, CUtexref handle), true, *bias = reference->texture.mipmapLevelBias)
GETTER(cuTexRefGetMipmapLevelClamp, (float *lowest, float *highest, CUtexref handle), true,
       (*lowest = reference->texture.minMipmapLevelClamp, *highest = reference->texture.maxMipmapLevelClamp))
GETTER(cuTexRefGetMaxAnisotropy, (int *most, CUtexref handle), true, *most = (int)reference->texture.maxAnisotropy)
GETTER(cuTexRefGetBorderColor, (float *color, CUtexref handle), true,
       memcpy(color, reference->texture.borderColor, sizeof reference->texture.borderColor))
GETTER(cuTexRefGetFlags, (unsigned int *flags, CUtexref handle), true, *flags = reference->texture.flags)

CUresult facet_cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned int flags)
{
    struct facet_texture_reference *reference;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUresult result = find(handle, true, &reference);
    if (result == CUDA_SUCCESS && flags != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? bind_to(reference, &resource) : result;
}

CUresult facet_cuSurfRefGetArray(CUarray *array, CUsurfref handle)
{
    struct facet_texture_reference *reference;
    CUresult result = find(handle, true, &reference);
    if (result == CUDA_SUCCESS && !reference->bound)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *array = reference->resource.res.array.hArray;
    return result;
}
