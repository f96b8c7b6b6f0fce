/* Arrays: making and describing them. What they hold counts against the slice with the gaps between rows. */
#include "array.h"

#include "arena.h"
#include "memory.h"

enum {
    PITCH = 512, /* bytes; rows start at multiples, as in pitched memory */
    LAYERED = 1,
    SURFACE = 2,
    CUBE = 4,
    GATHER = 8,
    ATTACHMENT = 32,
    KNOWN_FLAGS = LAYERED | SURFACE | CUBE | GATHER | ATTACHMENT,
    SIDES = 6 /* of a cube */
};

/* Bytes of a channel; 0 for formats in which channels are packed. */
static unsigned channel_bytes(CUarray_format format)
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

static bool shape_is_valid(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    bool layered = (wanted->Flags & LAYERED) != 0, cube = (wanted->Flags & CUBE) != 0;
    if (wanted->Width == 0 || (wanted->NumChannels != 1 && wanted->NumChannels != 2 && wanted->NumChannels != 4))
        return false;
    if (cube)
        return wanted->Width == wanted->Height && (layered ? wanted->Depth != 0 && wanted->Depth % SIDES == 0 : wanted->Depth == SIDES);
    if (layered)
        return wanted->Depth != 0;
    return wanted->Depth == 0 || wanted->Height != 0;
}

/* How it lies in memory, and how many bytes that takes. */
static bool lay_out(struct facet_array *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted, uint64_t *bytes)
{
    uint64_t lines;
    array->descriptor = *wanted;
    array->rows = wanted->Height == 0 ? 1 : wanted->Height;
    array->slices = wanted->Depth == 0 ? 1 : wanted->Depth;
    if (__builtin_mul_overflow(wanted->Width, channel_bytes(wanted->Format) * wanted->NumChannels, &array->width) ||
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
    if (result != CUDA_SUCCESS)
        return result;
    if (channel_bytes(wanted->Format) == 0 || (wanted->Flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return facet_unsupported("arrays of packed formats, sparse ones, depth textures");
    if (!shape_is_valid(wanted))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_array plan = {0};
    uint64_t bytes;
    if (!lay_out(&plan, wanted, &bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct facet_array *array = facet_object_create(FACET_ARRAY, context);
    if (array == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = facet_memory_allocate(context, &(struct facet_wanted){.bytes = bytes, .alignment = PITCH, .kind = FACET_MEMORY_DEVICE}, &plan.address);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(array);
        return result;
    }
    array->descriptor = plan.descriptor;
    array->address = plan.address;
    array->width = plan.width;
    array->rows = plan.rows;
    array->slices = plan.slices;
    array->pitch = plan.pitch;
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

CUresult facet_cuArrayDestroy(CUarray handle)
{
    struct facet_array *array;
    CUresult result = find(handle, &array);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = array->object.context;
    result = facet_context_rest(context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t address = array->address;
    facet_object_destroy(array);
    return facet_memory_give(context, address);
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
