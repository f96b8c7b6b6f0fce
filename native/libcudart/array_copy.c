/* Copies to and from arrays. Places in them are in bytes and rows. */
#include <string.h>

#include "array.h"

static bool is_kind(int kind)
{
    return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

static CUDA_MEMCPY3D rows(size_t width, size_t height)
{
    CUDA_MEMCPY3D box;
    memset(&box, 0, sizeof box);
    box.WidthInBytes = width;
    box.Height = height;
    box.Depth = 1;
    return box;
}

static void from_array(CUDA_MEMCPY3D *box, cudaArray_t array, size_t x, size_t y)
{
    box->srcMemoryType = CU_MEMORYTYPE_ARRAY;
    box->srcArray = array;
    box->srcXInBytes = x;
    box->srcY = y;
}

static void to_array(CUDA_MEMCPY3D *box, cudaArray_t array, size_t x, size_t y)
{
    box->dstMemoryType = CU_MEMORYTYPE_ARRAY;
    box->dstArray = array;
    box->dstXInBytes = x;
    box->dstY = y;
}

/* Whether there is something to copy between rows and an array; what to answer when there is not. */
static bool is_copy_of_rows(int kind, int wrong_kind, size_t pitch, size_t width, size_t height, cudaError_t *answer)
{
    if (!is_kind(kind) || kind == wrong_kind) {
        *answer = cudaErrorInvalidMemcpyDirection;
        return false;
    }
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || width == 0 || height == 0) {
        *answer = facet_error(result);
        return false;
    }
    *answer = width > pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
    return *answer == cudaSuccess;
}

static cudaError_t rows_to_array(cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch, size_t width, size_t height, int kind,
                                 cudaStream_t stream, bool waits)
{
    cudaError_t answer;
    if (!is_copy_of_rows(kind, cudaMemcpyDeviceToHost, pitch, width, height, &answer))
        return answer;
    CUDA_MEMCPY3D box = rows(width, height);
    facet_set_source(&box, source, pitch, height, facet_source_type(kind));
    to_array(&box, array, x, y);
    return facet_copy_box(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy2DToArray(bool per_thread, cudaArray_t destination, size_t x, size_t y, const void *source, size_t pitch, size_t width,
                                      size_t height, int kind)
{
    return facet_latch(rows_to_array(destination, x, y, source, pitch, width, height, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy2DToArrayAsync(bool per_thread, cudaArray_t destination, size_t x, size_t y, const void *source, size_t pitch,
                                           size_t width, size_t height, int kind, cudaStream_t stream)
{
    return facet_latch(rows_to_array(destination, x, y, source, pitch, width, height, kind, facet_stream(per_thread, stream), false));
}

static cudaError_t rows_from_array(void *destination, size_t pitch, cudaArray_t array, size_t x, size_t y, size_t width, size_t height, int kind,
                                   cudaStream_t stream, bool waits)
{
    cudaError_t answer;
    if (!is_copy_of_rows(kind, cudaMemcpyHostToDevice, pitch, width, height, &answer))
        return answer;
    CUDA_MEMCPY3D box = rows(width, height);
    from_array(&box, array, x, y);
    facet_set_destination(&box, destination, pitch, height, facet_destination_type(kind));
    return facet_copy_box(&box, stream, waits);
}

cudaError_t facet_cudaMemcpy2DFromArray(bool per_thread, void *destination, size_t pitch, cudaArray_t source, size_t x, size_t y, size_t width,
                                        size_t height, int kind)
{
    return facet_latch(rows_from_array(destination, pitch, source, x, y, width, height, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpy2DFromArrayAsync(bool per_thread, void *destination, size_t pitch, cudaArray_t source, size_t x, size_t y, size_t width,
                                             size_t height, int kind, cudaStream_t stream)
{
    return facet_latch(rows_from_array(destination, pitch, source, x, y, width, height, kind, facet_stream(per_thread, stream), false));
}

cudaError_t facet_cudaMemcpy2DArrayToArray(bool per_thread, cudaArray_t destination, size_t to_x, size_t to_y, cudaArray_t source, size_t from_x,
                                           size_t from_y, size_t width, size_t height, int kind)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return facet_latch(cudaErrorInvalidMemcpyDirection);
    CUresult result = facet_context_need();
    if (result != CUDA_SUCCESS || width == 0 || height == 0)
        return facet_finish(result);
    CUDA_MEMCPY3D box = rows(width, height);
    from_array(&box, source, from_x, from_y);
    to_array(&box, destination, to_x, to_y);
    return facet_latch(facet_copy_box(&box, facet_stream(per_thread, NULL), true));
}

/* ---- so many bytes, over the ends of rows */

/* One side of such a copy: an array, or memory without gaps. */
struct place {
    cudaArray_t array;
    size_t x, y;
    size_t width; /* bytes of a row */
    char *pointer;
};

static cudaError_t place_in(cudaArray_t array, size_t x, size_t y, struct place *place)
{
    struct facet_array_shape shape;
    cudaError_t error = facet_array_describe(array, &shape);
    if (error != cudaSuccess)
        return error;
    *place = (struct place){.array = array, .x = x, .y = y, .width = shape.whole.Width * shape.element};
    return x < place->width ? cudaSuccess : cudaErrorInvalidValue;
}

static size_t left_in_row(const struct place *place)
{
    return place->array == NULL ? SIZE_MAX : place->width - place->x;
}

static void advance(struct place *place, size_t bytes)
{
    if (place->array == NULL) {
        place->pointer += bytes;
        return;
    }
    place->x += bytes;
    if (place->x == place->width) {
        place->x = 0;
        place->y++;
    }
}

static cudaError_t copy_bytes(struct place to, struct place from, size_t bytes, int kind, cudaStream_t stream, bool waits)
{
    while (bytes > 0) {
        size_t width = bytes;
        if (width > left_in_row(&to))
            width = left_in_row(&to);
        if (width > left_in_row(&from))
            width = left_in_row(&from);
        CUDA_MEMCPY3D box = rows(width, 1);
        if (from.array != NULL)
            from_array(&box, from.array, from.x, from.y);
        else
            facet_set_source(&box, from.pointer, width, 1, facet_source_type(kind));
        if (to.array != NULL)
            to_array(&box, to.array, to.x, to.y);
        else
            facet_set_destination(&box, to.pointer, width, 1, facet_destination_type(kind));
        cudaError_t error = facet_copy_box(&box, stream, waits);
        if (error != cudaSuccess)
            return error;
        advance(&to, width);
        advance(&from, width);
        bytes -= width;
    }
    return cudaSuccess;
}

static cudaError_t bytes_to_array(cudaArray_t array, size_t x, size_t y, const void *source, size_t bytes, int kind, cudaStream_t stream, bool waits)
{
    if (!is_kind(kind) || kind == cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    struct place to, from = {.pointer = (char *)(uintptr_t)source};
    cudaError_t error = place_in(array, x, y, &to);
    return error == cudaSuccess ? copy_bytes(to, from, bytes, kind, stream, waits) : error;
}

cudaError_t facet_cudaMemcpyToArray(bool per_thread, cudaArray_t destination, size_t x, size_t y, const void *source, size_t bytes, int kind)
{
    return facet_latch(bytes_to_array(destination, x, y, source, bytes, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpyToArrayAsync(bool per_thread, cudaArray_t destination, size_t x, size_t y, const void *source, size_t bytes, int kind,
                                         cudaStream_t stream)
{
    return facet_latch(bytes_to_array(destination, x, y, source, bytes, kind, facet_stream(per_thread, stream), false));
}

static cudaError_t bytes_from_array(void *destination, cudaArray_t array, size_t x, size_t y, size_t bytes, int kind, cudaStream_t stream, bool waits)
{
    if (!is_kind(kind) || kind == cudaMemcpyHostToDevice)
        return cudaErrorInvalidMemcpyDirection;
    struct place to = {.pointer = destination}, from;
    cudaError_t error = place_in(array, x, y, &from);
    return error == cudaSuccess ? copy_bytes(to, from, bytes, kind, stream, waits) : error;
}

cudaError_t facet_cudaMemcpyFromArray(bool per_thread, void *destination, cudaArray_t source, size_t x, size_t y, size_t bytes, int kind)
{
    return facet_latch(bytes_from_array(destination, source, x, y, bytes, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpyFromArrayAsync(bool per_thread, void *destination, cudaArray_t source, size_t x, size_t y, size_t bytes, int kind,
                                           cudaStream_t stream)
{
    return facet_latch(bytes_from_array(destination, source, x, y, bytes, kind, facet_stream(per_thread, stream), false));
}

cudaError_t facet_cudaMemcpyArrayToArray(bool per_thread, cudaArray_t destination, size_t to_x, size_t to_y, cudaArray_t source, size_t from_x,
                                         size_t from_y, size_t bytes, int kind)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return facet_latch(cudaErrorInvalidMemcpyDirection);
    struct place to, from;
    cudaError_t error = place_in(destination, to_x, to_y, &to);
    if (error == cudaSuccess)
        error = place_in(source, from_x, from_y, &from);
    return facet_latch(error == cudaSuccess ? copy_bytes(to, from, bytes, kind, facet_stream(per_thread, NULL), true) : error);
}
