/* Setting memory: cuMemset* and cuMemsetD2D*. */
#include <string.h>

#include "copy.h"
#include "graph/capture.h"
#include "memory.h"
#include "stream.h"
#include "touch.h"

struct fill {
    uint64_t address, pitch, columns, rows;
    uint32_t value, width; /* of an element, in bytes */
};

static void fill_row(char *row, const struct fill *fill)
{
    if (fill->width == 1) {
        memset(row, (int)fill->value, fill->columns);
        return;
    }
    for (uint64_t i = 0; i < fill->columns; i++)
        memcpy(row + i * fill->width, &fill->value, fill->width); /* low bytes first, as this machine has them */
}

static CUresult fill_now(const struct fill *fill, const struct facet_side *side)
{
    struct facet_touch touch = {.first = side->moves ? side->context : NULL};
    CUresult result = facet_touch_begin(&touch);
    if (result != CUDA_SUCCESS)
        return result;
    for (uint64_t y = 0; y < fill->rows; y++)
        fill_row((char *)(uintptr_t)(fill->address + y * fill->pitch), fill);
    facet_touch_end(&touch);
    return CUDA_SUCCESS;
}

static CUresult post(const struct fill *fill, const struct facet_side *side, struct facet_stream *stream)
{
    return facet_post_fill(side->context, side->address, fill->pitch, fill->columns, fill->rows, fill->value, fill->width, stream);
}

/* Memory of another context than the current one: when that has come to rest. */
static CUresult fill_elsewhere(const struct fill *fill, const struct facet_side *side)
{
    CUresult result = facet_context_settle(side->context);
    if (result != CUDA_SUCCESS || !side->far)
        return result == CUDA_SUCCESS ? fill_now(fill, side) : result;
    result = post(fill, side, NULL);
    return result == CUDA_SUCCESS ? facet_context_settle(side->context) : result;
}

static CUresult set(struct fill fill, bool per_thread, CUstream handle, bool asynchronous)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    bool captures = result == CUDA_SUCCESS && facet_capturing(stream) && asynchronous;
    if (result == CUDA_SUCCESS && !captures)
        result = facet_capture_unsupported(context, stream);
    if (result == CUDA_SUCCESS && !asynchronous)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || fill.columns == 0 || fill.rows == 0)
        return result;
    uint64_t row;
    if (fill.address == 0 || fill.address % fill.width != 0 || __builtin_mul_overflow(fill.columns, fill.width, &row))
        return CUDA_ERROR_INVALID_VALUE;
    if (fill.rows == 1)
        fill.pitch = row;
    if (fill.pitch < row || fill.pitch % fill.width != 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t span;
    struct facet_side side;
    if (!facet_span(row, fill.rows, 1, fill.pitch, 0, &span))
        return CUDA_ERROR_INVALID_VALUE;
    result = facet_memory_side(fill.address, span, &side);
    if (result != CUDA_SUCCESS)
        return result;
    facet_side_in(&side, context);
    if (side.context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (captures)
        return facet_capture_fill(context, stream,
                                  &(CUDA_MEMSET_NODE_PARAMS_v1){.dst = fill.address,
                                                                .pitch = fill.pitch,
                                                                .value = fill.value,
                                                                .elementSize = fill.width,
                                                                .width = fill.columns,
                                                                .height = fill.rows});
    if (side.context != context)
        return fill_elsewhere(&fill, &side);
    /* Host memory must be set when the call returns; the device's own need not. */
    bool later = asynchronous || side.kind == FACET_MEMORY_DEVICE;
    if (!side.far && facet_context_idle(context) && (!later || row * fill.rows <= FACET_COPY_SMALL))
        return fill_now(&fill, &side);
    result = post(&fill, &side, stream);
    return result == CUDA_SUCCESS && !later ? facet_stream_wait(context, stream) : result;
}

static CUresult line(uint64_t address, uint32_t value, uint32_t width, size_t count, bool per_thread, CUstream stream, bool asynchronous)
{
    return set((struct fill){.address = address, .columns = count, .rows = 1, .value = value, .width = width}, per_thread, stream, asynchronous);
}

static CUresult plane(uint64_t address, size_t pitch, uint32_t value, uint32_t width, size_t columns, size_t rows, bool per_thread, CUstream stream,
                      bool asynchronous)
{
    return set((struct fill){.address = address, .pitch = pitch, .columns = columns, .rows = rows, .value = value, .width = width}, per_thread,
               stream, asynchronous);
}

CUresult facet_cuMemsetD8_v2(bool per_thread, CUdeviceptr address, unsigned char value, size_t count)
{
    return line(address, value, 1, count, per_thread, NULL, false);
}

CUresult facet_cuMemsetD16_v2(bool per_thread, CUdeviceptr address, unsigned short value, size_t count)
{
    return line(address, value, 2, count, per_thread, NULL, false);
}

CUresult facet_cuMemsetD32_v2(bool per_thread, CUdeviceptr address, unsigned int value, size_t count)
{
    return line(address, value, 4, count, per_thread, NULL, false);
}

CUresult facet_cuMemsetD8Async(bool per_thread, CUdeviceptr address, unsigned char value, size_t count, CUstream stream)
{
    return line(address, value, 1, count, per_thread, stream, true);
}

CUresult facet_cuMemsetD16Async(bool per_thread, CUdeviceptr address, unsigned short value, size_t count, CUstream stream)
{
    return line(address, value, 2, count, per_thread, stream, true);
}

CUresult facet_cuMemsetD32Async(bool per_thread, CUdeviceptr address, unsigned int value, size_t count, CUstream stream)
{
    return line(address, value, 4, count, per_thread, stream, true);
}

CUresult facet_cuMemsetD2D8_v2(bool per_thread, CUdeviceptr address, size_t pitch, unsigned char value, size_t columns, size_t rows)
{
    return plane(address, pitch, value, 1, columns, rows, per_thread, NULL, false);
}

CUresult facet_cuMemsetD2D16_v2(bool per_thread, CUdeviceptr address, size_t pitch, unsigned short value, size_t columns, size_t rows)
{
    return plane(address, pitch, value, 2, columns, rows, per_thread, NULL, false);
}

CUresult facet_cuMemsetD2D32_v2(bool per_thread, CUdeviceptr address, size_t pitch, unsigned int value, size_t columns, size_t rows)
{
    return plane(address, pitch, value, 4, columns, rows, per_thread, NULL, false);
}

CUresult facet_cuMemsetD2D8Async(bool per_thread, CUdeviceptr address, size_t pitch, unsigned char value, size_t columns, size_t rows,
                                 CUstream stream)
{
    return plane(address, pitch, value, 1, columns, rows, per_thread, stream, true);
}

CUresult facet_cuMemsetD2D16Async(bool per_thread, CUdeviceptr address, size_t pitch, unsigned short value, size_t columns, size_t rows,
                                  CUstream stream)
{
    return plane(address, pitch, value, 2, columns, rows, per_thread, stream, true);
}

CUresult facet_cuMemsetD2D32Async(bool per_thread, CUdeviceptr address, size_t pitch, unsigned int value, size_t columns, size_t rows,
                                  CUstream stream)
{
    return plane(address, pitch, value, 4, columns, rows, per_thread, stream, true);
}
