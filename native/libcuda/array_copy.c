/* Copies of so many bytes from an offset in an array on: over the ends of rows, without the gaps between them. */
#include "array.h"
#include "copy.h"

/* One side. Without an array the bytes lie one after the other. */
struct place {
    const struct facet_array *array;
    uint64_t start; /* address, or offset in the array */
};

static CUresult find(CUarray handle, uint64_t offset, uint64_t bytes, struct place *place)
{
    place->array = facet_array_filled(handle);
    place->start = offset;
    if (place->array == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t whole = place->array->width * place->array->rows * place->array->slices;
    return bytes <= whole && offset <= whole - bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Address of the byte at a distance from the start, and how many follow it without a gap. */
static uint64_t address(const struct place *place, uint64_t distance, uint64_t *together)
{
    const struct facet_array *array = place->array;
    if (array == NULL) {
        *together = UINT64_MAX;
        return place->start + distance;
    }
    uint64_t offset = place->start + distance;
    *together = array->width - offset % array->width;
    return array->address + offset / array->width * array->pitch + offset % array->width;
}

/* Whole rows go together where they begin on both sides. */
static bool whole_rows(const struct place *place, uint64_t width, uint64_t *pitch)
{
    *pitch = place->array == NULL ? width : place->array->pitch;
    return place->array == NULL || place->array->width == width;
}

static CUresult copy(const struct place *to, const struct place *from, uint64_t bytes, bool per_thread, CUstream stream, bool asynchronous)
{
    CUresult result = facet_session_check();
    for (uint64_t done = 0; result == CUDA_SUCCESS && done < bytes;) {
        uint64_t to_together, from_together;
        struct facet_box box = facet_line(address(to, done, &to_together), address(from, done, &from_together), bytes - done);
        uint64_t width = to_together < from_together ? to_together : from_together;
        if (width < box.width) {
            box.width = width;
            if (whole_rows(to, width, &box.destination_pitch) && whole_rows(from, width, &box.source_pitch))
                box.height = (bytes - done) / width;
        }
        result = facet_copy(box, per_thread, stream, asynchronous);
        done += box.width * box.height;
    }
    return result;
}

static CUresult to_array(CUarray array, size_t offset, uint64_t source, size_t bytes, bool per_thread, CUstream stream, bool asynchronous)
{
    struct place to, from = {.start = source};
    CUresult result = find(array, offset, bytes, &to);
    if (result == CUDA_SUCCESS && source == 0 && bytes != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? copy(&to, &from, bytes, per_thread, stream, asynchronous) : result;
}

static CUresult from_array(uint64_t destination, CUarray array, size_t offset, size_t bytes, bool per_thread, CUstream stream, bool asynchronous)
{
    struct place to = {.start = destination}, from;
    CUresult result = find(array, offset, bytes, &from);
    if (result == CUDA_SUCCESS && destination == 0 && bytes != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? copy(&to, &from, bytes, per_thread, stream, asynchronous) : result;
}

CUresult facet_cuMemcpyHtoA_v2(bool per_thread, CUarray array, size_t offset, const void *source, size_t bytes)
{
    return to_array(array, offset, (uintptr_t)source, bytes, per_thread, NULL, false);
}

CUresult facet_cuMemcpyHtoAAsync_v2(bool per_thread, CUarray array, size_t offset, const void *source, size_t bytes, CUstream stream)
{
    return to_array(array, offset, (uintptr_t)source, bytes, per_thread, stream, true);
}

CUresult facet_cuMemcpyDtoA_v2(bool per_thread, CUarray array, size_t offset, CUdeviceptr source, size_t bytes)
{
    return to_array(array, offset, source, bytes, per_thread, NULL, false);
}

CUresult facet_cuMemcpyAtoH_v2(bool per_thread, void *destination, CUarray array, size_t offset, size_t bytes)
{
    return from_array((uintptr_t)destination, array, offset, bytes, per_thread, NULL, false);
}

CUresult facet_cuMemcpyAtoHAsync_v2(bool per_thread, void *destination, CUarray array, size_t offset, size_t bytes, CUstream stream)
{
    return from_array((uintptr_t)destination, array, offset, bytes, per_thread, stream, true);
}

CUresult facet_cuMemcpyAtoD_v2(bool per_thread, CUdeviceptr destination, CUarray array, size_t offset, size_t bytes)
{
    return from_array(destination, array, offset, bytes, per_thread, NULL, false);
}

CUresult facet_cuMemcpyAtoA_v2(bool per_thread, CUarray destination, size_t to_offset, CUarray source, size_t from_offset, size_t bytes)
{
    struct place to, from;
    CUresult result = find(destination, to_offset, bytes, &to);
    if (result == CUDA_SUCCESS)
        result = find(source, from_offset, bytes, &from);
    return result == CUDA_SUCCESS ? copy(&to, &from, bytes, per_thread, NULL, false) : result;
}
