/* Mipmapped arrays: one piece of memory, and an array for each level in it. */
#include "array.h"
#include "memory.h"

enum { ALIGNMENT = FACET_ARRAY_PITCH }; /* bytes, of each level */

static size_t half(size_t size)
{
    return size > 1 ? size / 2 : size;
}

/* Layers and faces stay as many as they are. */
static CUDA_ARRAY3D_DESCRIPTOR next(CUDA_ARRAY3D_DESCRIPTOR level)
{
    level.Width = half(level.Width);
    level.Height = half(level.Height);
    if ((level.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0)
        level.Depth = half(level.Depth);
    return level;
}

static unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR *wanted)
{
    size_t largest = wanted->Width > wanted->Height ? wanted->Width : wanted->Height;
    if ((wanted->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0 && wanted->Depth > largest)
        largest = wanted->Depth;
    return 64 - (unsigned)__builtin_clzll(largest);
}

static void drop_levels(struct facet_mipmap *mipmap)
{
    for (unsigned i = 0; i < mipmap->count; i++)
        facet_object_destroy(mipmap->levels[i]);
}

/* Each level with its distance from the start as its address. */
static CUresult plan(struct facet_mipmap *mipmap, unsigned count, uint64_t *whole)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = mipmap->descriptor;
    *whole = 0;
    for (unsigned i = 0; i < count; i++) {
        struct facet_array *level = facet_object_create(FACET_ARRAY, mipmap->object.context);
        uint64_t bytes;
        if (level == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        mipmap->levels[mipmap->count++] = level;
        level->is_level = true;
        level->empty = mipmap->empty;
        level->address = *whole;
        if (!facet_array_lay_out(level, &wanted, &bytes) || __builtin_add_overflow(bytes, ALIGNMENT - 1, &bytes) ||
            __builtin_add_overflow(*whole, bytes & ~(uint64_t)(ALIGNMENT - 1), whole))
            return CUDA_ERROR_OUT_OF_MEMORY;
        wanted = next(wanted);
    }
    return CUDA_SUCCESS;
}

CUresult facet_cuMipmappedArrayCreate(CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (wanted == NULL || levels == 0)
        return CUDA_ERROR_INVALID_VALUE;
    result = facet_array_check(wanted);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_mipmap *mipmap = facet_object_create(FACET_MIPMAP, context);
    if (mipmap == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    mipmap->descriptor = *wanted;
    mipmap->empty = (wanted->Flags & CUDA_ARRAY3D_DEFERRED_MAPPING) != 0;
    unsigned most = most_levels(wanted);
    result = plan(mipmap, levels < most ? levels : most, &mipmap->bytes);
    if (result == CUDA_SUCCESS && !mipmap->empty)
        result = facet_memory_allocate(context, &(struct facet_wanted){.bytes = mipmap->bytes, .alignment = ALIGNMENT, .kind = FACET_MEMORY_DEVICE},
                                       &mipmap->address);
    if (result != CUDA_SUCCESS) {
        drop_levels(mipmap);
        facet_object_destroy(mipmap);
        return result;
    }
    for (unsigned i = 0; i < mipmap->count; i++)
        mipmap->levels[i]->address += mipmap->address;
    *handle = (CUmipmappedArray)(void *)mipmap;
    return CUDA_SUCCESS;
}

static CUresult find(CUmipmappedArray handle, struct facet_mipmap **mipmap)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *mipmap = facet_object(handle, FACET_MIPMAP);
    return *mipmap == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult facet_cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray handle, unsigned int level)
{
    struct facet_mipmap *mipmap;
    CUresult result = find(handle, &mipmap);
    if (result != CUDA_SUCCESS)
        return result;
    if (level >= mipmap->count)
        return CUDA_ERROR_INVALID_VALUE;
    *array = (CUarray)(void *)mipmap->levels[level];
    return CUDA_SUCCESS;
}

CUresult facet_cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray handle, CUdevice device)
{
    struct facet_mipmap *mipmap;
    CUresult result = find(handle, &mipmap);
    if (result != CUDA_SUCCESS)
        return result;
    if (!mipmap->empty || mipmap->object.context->device != device)
        return CUDA_ERROR_INVALID_VALUE;
    *requirements = (CUDA_ARRAY_MEMORY_REQUIREMENTS){.size = mipmap->bytes, .alignment = ALIGNMENT};
    return CUDA_SUCCESS;
}

CUresult facet_cuMipmappedArrayDestroy(CUmipmappedArray handle)
{
    struct facet_mipmap *mipmap;
    CUresult result = find(handle, &mipmap);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_context *context = mipmap->object.context;
    result = mipmap->empty ? CUDA_SUCCESS : facet_context_rest(context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t address = mipmap->address;
    bool empty = mipmap->empty;
    drop_levels(mipmap);
    facet_object_destroy(mipmap);
    return empty ? CUDA_SUCCESS : facet_memory_give(context, address);
}
