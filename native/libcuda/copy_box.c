/* Copies of boxes: the calls' descriptions are checked and become addresses. */
#include "array.h"
#include "copy.h"

struct corner {
    CUmemorytype type;
    CUarray array;
    const void *host;
    CUdeviceptr device;
    size_t x, y, z; /* x in bytes */
    size_t pitch;
    size_t height; /* rows of a slice */
};

static bool inside(uint64_t start, uint64_t count, uint64_t most)
{
    return count <= most && start <= most - count;
}

static CUresult locate_in_array(const struct corner *corner, uint64_t width, uint64_t height, uint64_t depth, uint64_t *address, uint64_t *pitch,
                                uint64_t *slice)
{
    const struct facet_array *array = facet_array_filled(corner->array);
    if (array == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!inside(corner->x, width, array->width) || !inside(corner->y, height, array->rows) || !inside(corner->z, depth, array->slices))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = array->pitch;
    *slice = array->pitch * array->rows;
    *address = array->address + corner->z * *slice + corner->y * *pitch + corner->x;
    return CUDA_SUCCESS;
}

static CUresult locate(const struct corner *corner, uint64_t width, uint64_t height, uint64_t depth, uint64_t *address, uint64_t *pitch,
                       uint64_t *slice)
{
    if (corner->type == CU_MEMORYTYPE_ARRAY)
        return locate_in_array(corner, width, height, depth, address, pitch, slice);
    if (corner->type != CU_MEMORYTYPE_HOST && corner->type != CU_MEMORYTYPE_DEVICE && corner->type != CU_MEMORYTYPE_UNIFIED)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t start = corner->type == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)corner->host : corner->device;
    /* A single row needs no pitch, a single slice no height. */
    bool pitch_matters = height > 1 || depth > 1 || corner->y != 0 || corner->z != 0;
    bool height_matters = depth > 1 || corner->z != 0;
    if (start == 0 || (pitch_matters && corner->pitch < corner->x + width) || (height_matters && corner->height < corner->y + height))
        return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_mul_overflow(corner->pitch, corner->height, slice))
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = corner->pitch;
    *address = start + corner->z * *slice + corner->y * *pitch + corner->x;
    return CUDA_SUCCESS;
}

static CUresult find(const struct corner *from, const struct corner *to, uint64_t width, uint64_t height, uint64_t depth, struct facet_box *box)
{
    *box = (struct facet_box){.width = width, .height = height, .depth = depth};
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS || width == 0 || height == 0 || depth == 0)
        return result;
    result = locate(from, width, height, depth, &box->source, &box->source_pitch, &box->source_slice);
    return result == CUDA_SUCCESS ? locate(to, width, height, depth, &box->destination, &box->destination_pitch, &box->destination_slice) : result;
}

static CUresult run(const struct corner *from, const struct corner *to, uint64_t width, uint64_t height, uint64_t depth, bool per_thread,
                    CUstream stream, bool asynchronous)
{
    struct facet_box box;
    CUresult result = find(from, to, width, height, depth, &box);
    if (result != CUDA_SUCCESS || width == 0 || height == 0 || depth == 0)
        return result;
    return facet_copy(box, per_thread, stream, asynchronous);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *copy, bool per_thread, CUstream stream, bool asynchronous)
{
    if (copy == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct corner from = {.type = copy->srcMemoryType,
                          .array = copy->srcArray,
                          .host = copy->srcHost,
                          .device = copy->srcDevice,
                          .x = copy->srcXInBytes,
                          .y = copy->srcY,
                          .pitch = copy->srcPitch};
    struct corner to = {.type = copy->dstMemoryType,
                        .array = copy->dstArray,
                        .host = copy->dstHost,
                        .device = copy->dstDevice,
                        .x = copy->dstXInBytes,
                        .y = copy->dstY,
                        .pitch = copy->dstPitch};
    return run(&from, &to, copy->WidthInBytes, copy->Height, 1, per_thread, stream, asynchronous);
}

CUresult facet_cuMemcpy2D_v2(bool per_thread, const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, per_thread, NULL, false);
}

CUresult facet_cuMemcpy2DUnaligned_v2(bool per_thread, const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, per_thread, NULL, false);
}

CUresult facet_cuMemcpy2DAsync_v2(bool per_thread, const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return copy_2d(copy, per_thread, stream, true);
}

/* The two descriptions of 3D copies have the same fields, at different places. */
#define CORNER_3D(copy, side)          \
    {.type = (copy)->side##MemoryType, \
     .array = (copy)->side##Array,     \
     .host = (copy)->side##Host,       \
     .device = (copy)->side##Device,   \
     .x = (copy)->side##XInBytes,      \
     .y = (copy)->side##Y,             \
     .z = (copy)->side##Z,             \
     .pitch = (copy)->side##Pitch,     \
     .height = (copy)->side##Height}

CUresult facet_box_of(const CUDA_MEMCPY3D *copy, struct facet_box *box)
{
    if (copy->srcLOD != 0 || copy->dstLOD != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct corner from = CORNER_3D(copy, src), to = CORNER_3D(copy, dst);
    return find(&from, &to, copy->WidthInBytes, copy->Height, copy->Depth, box);
}

static CUresult copy_3d(const CUDA_MEMCPY3D *copy, bool per_thread, CUstream stream, bool asynchronous)
{
    if (copy == NULL || copy->srcLOD != 0 || copy->dstLOD != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct corner from = CORNER_3D(copy, src), to = CORNER_3D(copy, dst);
    return run(&from, &to, copy->WidthInBytes, copy->Height, copy->Depth, per_thread, stream, asynchronous);
}

CUresult facet_cuMemcpy3D_v2(bool per_thread, const CUDA_MEMCPY3D *copy)
{
    return copy_3d(copy, per_thread, NULL, false);
}

CUresult facet_cuMemcpy3DAsync_v2(bool per_thread, const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return copy_3d(copy, per_thread, stream, true);
}

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *copy, bool per_thread, CUstream stream, bool asynchronous)
{
    if (copy == NULL || copy->srcLOD != 0 || copy->dstLOD != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct corner from = CORNER_3D(copy, src), to = CORNER_3D(copy, dst);
    return run(&from, &to, copy->WidthInBytes, copy->Height, copy->Depth, per_thread, stream, asynchronous);
}

CUresult facet_cuMemcpy3DPeer(bool per_thread, const CUDA_MEMCPY3D_PEER *copy)
{
    return copy_3d_peer(copy, per_thread, NULL, false);
}

CUresult facet_cuMemcpy3DPeerAsync(bool per_thread, const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    return copy_3d_peer(copy, per_thread, stream, true);
}
