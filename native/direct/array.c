/* Arrays and mipmaps. What is charged is how the vendor lays them out, where its driver tells; else what their elements need. */
#include <stdint.h>

#include "books.h"
#include "layout.h"
#include "slice.h"
#include "vendor.h"
#include "work.h"

/* As before CUDA 3.2. */
struct array_before {
    unsigned int width, height, format, channels;
};

struct box_before {
    unsigned int width, height, depth, format, channels, flags;
};

static uint64_t element_bytes(unsigned int format)
{
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    default:
        return 4; /* the widest there is for a channel; compressed and planar formats have less */
    }
}

/* UINT64_MAX where it is more than a number holds: more than any slice has. */
static uint64_t bytes_of(uint64_t width, uint64_t height, uint64_t depth, unsigned int format, unsigned int channels)
{
    uint64_t bytes = element_bytes(format);
    if (__builtin_mul_overflow(bytes, channels == 0 ? 1u : channels, &bytes) || __builtin_mul_overflow(bytes, width, &bytes) ||
        __builtin_mul_overflow(bytes, height == 0 ? 1u : height, &bytes) || __builtin_mul_overflow(bytes, depth == 0 ? 1u : depth, &bytes))
        return UINT64_MAX;
    return facet_slice_rounded(bytes);
}

/* Memory is mapped into these later, and charged where it is made. */
static bool is_empty(unsigned int flags)
{
    return (flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING)) != 0;
}

static CUresult reserve(struct facet_where *where, uint64_t bytes)
{
    CUresult result = facet_where(where);
    if (result != CUDA_SUCCESS || facet_slice_hopeless(where->device, bytes))
        return result;
    return facet_slice_take(where->device, bytes);
}

static CUresult settle(CUresult result, const struct facet_where *where, uint64_t bytes, enum facet_booked_kind kind, void *handle)
{
    bool hopeless = facet_slice_hopeless(where->device, bytes);
    struct facet_booked entry = {
        .key = (uint64_t)(uintptr_t)handle, .kind = kind, .device = where->device, .bytes = bytes, .context = where->context};
    if (result == CUDA_SUCCESS && !hopeless && facet_book(&entry))
        return CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && kind == FACET_BOOKED_ARRAY)
        facet_vendor.cuArrayDestroy(handle);
    else if (result == CUDA_SUCCESS)
        facet_vendor.cuMipmappedArrayDestroy(handle);
    if (!hopeless)
        facet_slice_give(where->device, bytes);
    return result == CUDA_SUCCESS ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

CUresult facet_direct_cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted)
{
    struct facet_where where;
    uint64_t bytes = 0;
    if (wanted != NULL) {
        CUDA_ARRAY3D_DESCRIPTOR box = {
            .Width = wanted->Width, .Height = wanted->Height, .Format = wanted->Format, .NumChannels = wanted->NumChannels};
        bytes = facet_layout_bytes(&box, 0, bytes_of(wanted->Width, wanted->Height, 1, wanted->Format, wanted->NumChannels));
    }
    CUresult result = reserve(&where, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuArrayCreate_v2(array, wanted);
    return settle(result, &where, bytes, FACET_BOOKED_ARRAY, result == CUDA_SUCCESS ? *array : NULL);
}

CUresult facet_direct_cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR_v1 *wanted)
{
    struct facet_where where;
    const struct array_before *old = (const void *)wanted;
    uint64_t bytes = old == NULL ? 0 : bytes_of(old->width, old->height, 1, old->format, old->channels);
    CUresult result = reserve(&where, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuArrayCreate(array, wanted);
    return settle(result, &where, bytes, FACET_BOOKED_ARRAY, result == CUDA_SUCCESS ? *array : NULL);
}

CUresult facet_direct_cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    struct facet_where where;
    uint64_t bytes = 0;
    if (wanted != NULL && !is_empty(wanted->Flags))
        bytes = facet_layout_bytes(wanted, 0, bytes_of(wanted->Width, wanted->Height, wanted->Depth, wanted->Format, wanted->NumChannels));
    CUresult result = reserve(&where, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuArray3DCreate_v2(array, wanted);
    return settle(result, &where, bytes, FACET_BOOKED_ARRAY, result == CUDA_SUCCESS ? *array : NULL);
}

CUresult facet_direct_cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR_v1 *wanted)
{
    struct facet_where where;
    const struct box_before *old = (const void *)wanted;
    uint64_t bytes = old == NULL ? 0 : bytes_of(old->width, old->height, old->depth, old->format, old->channels);
    CUresult result = reserve(&where, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuArray3DCreate(array, wanted);
    return settle(result, &where, bytes, FACET_BOOKED_ARRAY, result == CUDA_SUCCESS ? *array : NULL);
}

/* Each level is half of the one before, in every direction that shrinks. */
static uint64_t levels_bytes(const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels)
{
    uint64_t width = wanted->Width, height = wanted->Height, depth = wanted->Depth, all = 0;
    bool layered = (wanted->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
    for (unsigned int i = 0; i < levels && i < 64; i++) {
        uint64_t bytes = bytes_of(width, height, depth, wanted->Format, wanted->NumChannels);
        if (__builtin_add_overflow(all, bytes, &all))
            return UINT64_MAX;
        if (width <= 1 && height <= 1 && (layered || depth <= 1))
            break;
        width = width > 1 ? width / 2 : width;
        height = height > 1 ? height / 2 : height;
        depth = depth > 1 && !layered ? depth / 2 : depth;
    }
    return all;
}

CUresult facet_direct_cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels)
{
    struct facet_where where;
    uint64_t bytes = wanted == NULL || is_empty(wanted->Flags) ? 0 : levels_bytes(wanted, levels);
    if (bytes > 0 && levels > 0)
        bytes = facet_layout_bytes(wanted, levels, bytes);
    CUresult result = reserve(&where, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_vendor.cuMipmappedArrayCreate(mipmap, wanted, levels);
    return settle(result, &where, bytes, FACET_BOOKED_MIPMAP, result == CUDA_SUCCESS ? *mipmap : NULL);
}

static CUresult end(enum facet_booked_kind kind, void *handle)
{
    struct facet_booked entry;
    bool booked = facet_book_remove(kind, (uint64_t)(uintptr_t)handle, &entry);
    CUresult result = kind == FACET_BOOKED_ARRAY ? facet_vendor.cuArrayDestroy(handle) : facet_vendor.cuMipmappedArrayDestroy(handle);
    if (booked && result == CUDA_SUCCESS)
        facet_slice_give(entry.device, entry.bytes);
    else if (booked)
        facet_book(&entry);
    return result;
}

CUresult facet_direct_cuArrayDestroy(CUarray array)
{
    return end(FACET_BOOKED_ARRAY, array);
}

CUresult facet_direct_cuMipmappedArrayDestroy(CUmipmappedArray mipmap)
{
    return end(FACET_BOOKED_MIPMAP, mipmap);
}
