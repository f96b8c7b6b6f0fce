/* Arrays: making and describing them. What they hold counts against the slice with the gaps between rows. */
#include "array.h"

#include "arena.h"
#include "memory.h"

enum {
    PITCH = FACET_ARRAY_PITCH,
    KNOWN_FLAGS = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER |
                  CUDA_ARRAY3D_COLOR_ATTACHMENT | CUDA_ARRAY3D_DEFERRED_MAPPING,
    SIDES = 6 /* of a cube */
};

unsigned facet_format_bytes(CUarray_format format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* The largest there are, as the attributes of devices say. */
static bool fits(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    if ((wanted->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0)
        return wanted->Width <= 32768 && wanted->Height <= 32768 && wanted->Depth <= 2048;
    if (wanted->Depth != 0)
        return wanted->Width <= 16384 && wanted->Height <= 16384 && wanted->Depth <= 16384;
    return wanted->Width <= 131072 && wanted->Height <= 65536;
}

static bool shape_is_valid(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    bool layered = (wanted->Flags & CUDA_ARRAY3D_LAYERED) != 0, cube = (wanted->Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
    if (wanted->Width == 0 || (wanted->NumChannels != 1 && wanted->NumChannels != 2 && wanted->NumChannels != 4))
        return false;
    if (cube)
        return wanted->Width == wanted->Height && (layered ? wanted->Depth != 0 && wanted->Depth % SIDES == 0 : wanted->Depth == SIDES);
    if (layered)
        return wanted->Depth != 0;
    return wanted->Depth == 0 || wanted->Height != 0;
}

CUresult facet_array_check(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    if (facet_format_bytes(wanted->Format) == 0 || (wanted->Flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return facet_unsupported("arrays of packed formats, sparse ones, depth textures");
    return shape_is_valid(wanted) && fits(wanted) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

bool facet_array_lay_out(struct facet_array *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted, uint64_t *bytes)
{
    uint64_t lines;
    array->descriptor = *wanted;
    array->rows = wanted->Height == 0 ? 1 : wanted->Height;
    array->slices = wanted->Depth == 0 ? 1 : wanted->Depth;
    if (__builtin_mul_overflow(wanted->Width, facet_format_bytes(wanted->Format) * wanted->NumChannels, &array->width) ||
        __builtin_mul_overflow(array->rows, array->slices, &lines) || __builtin_add_overflow(array->width, PITCH - 1, &array->pitch))
        return false;
    array->pitch &= ~(uint64_t)(PITCH - 1);
    if (lines == 1)
        array->pitch = array->width;
    return !__builtin_mul_overflow(array->pitch, lines, bytes);
}

static CUresult create(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_array_check(wanted);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_array *array = facet_object_create(FACET_ARRAY, context);
    if (array == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    array->empty = (wanted->Flags & CUDA_ARRAY3D_DEFERRED_MAPPING) != 0;
    result = facet_array_lay_out(array, wanted, &array->bytes) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && !array->empty)
        result = facet_memory_allocate(context, &(struct facet_wanted){.bytes = array->bytes, .alignment = PITCH, .kind = FACET_MEMORY_DEVICE},
                                       &array->address);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(array);
        return result;
    }
    *handle = (CUarray)(void *)array;
    return CUDA_SUCCESS;
}

CUresult facet_cuArrayCreate_v2(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    if (wanted == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR whole = {.Width = wanted->Width, .Height = wanted->Height, .Format = wanted->Format, .NumChannels = wanted->NumChannels};
    return create(handle, &whole);
}

CUresult facet_cuArray3DCreate_v2(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    return wanted == NULL ? CUDA_ERROR_INVALID_VALUE : create(handle, wanted);
}

static CUresult find(CUarray handle, struct facet_array **array)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *array = facet_object(handle, FACET_ARRAY);
    return *array == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

struct facet_array *facet_array_filled(CUarray handle)
{
    struct facet_array *array = facet_object(handle, FACET_ARRAY);
    return array != NULL && !array->empty ? array : NULL;
}

/* Only of those that are to get their memory later, as CUDA has it. That they get some, by cuMemMapArrayAsync, is missing: attribute 121 is 0. */
CUresult facet_cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray handle, CUdevice device)
{
    struct facet_array *array;
    CUresult result = find(handle, &array);
    if (result != CUDA_SUCCESS)
        return result;
    if (!array->empty || array->is_level || array->object.context->device != device)
        return CUDA_ERROR_INVALID_VALUE;
    *requirements = (CUDA_ARRAY_MEMORY_REQUIREMENTS){.size = array->bytes, .alignment = PITCH};
    return CUDA_SUCCESS;
}

CUresult facet_cuArrayDestroy(CUarray handle)
{
    struct facet_array *array;
    CUresult result = find(handle, &array);
    if (result != CUDA_SUCCESS)
        return result;
    if (array->is_level)
        return CUDA_ERROR_INVALID_VALUE; /* it goes with the mipmapped array that it is a level of */
    struct facet_context *context = array->object.context;
    result = array->empty ? CUDA_SUCCESS : facet_context_rest(context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t address = array->address;
    bool empty = array->empty;
    facet_object_destroy(array);
    return empty ? CUDA_SUCCESS : facet_memory_give(context, address);
}

CUresult facet_cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray handle)
{
    struct facet_array *array;
    CUresult result = find(handle, &array);
    if (result == CUDA_SUCCESS)
        *descriptor = array->descriptor;
    return result;
}

/* Says less than there is about an array with slices: that is refused. */
CUresult facet_cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray handle)
{
    struct facet_array *array;
    CUresult result = find(handle, &array);
    if (result != CUDA_SUCCESS)
        return result;
    if (array->descriptor.Depth != 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR *whole = &array->descriptor;
    *descriptor = (CUDA_ARRAY_DESCRIPTOR){.Width = whole->Width, .Height = whole->Height, .Format = whole->Format, .NumChannels = whole->NumChannels};
    return CUDA_SUCCESS;
}
