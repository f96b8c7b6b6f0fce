/* A launch that is given to the driver in parts, by the twin of its kernel; between them the device may go to somebody else. */
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "time.h"
#include "vendor.h"
#include "whole.h"
#include "work.h"

enum {
    HIDDEN_BYTES = 24,      /* facet.ptx.rewrite.HiddenArguments */
    MOST_PARAMETERS = 4096, /* more are launched whole */
    MOST_BUFFER = 32768,
};

/* What the twin is given: the program's arguments and, behind them, where a part is. */
struct arguments {
    uint32_t hidden[HIDDEN_BYTES / 4];
    void *pointers[MOST_PARAMETERS + 1];
    char buffer[MOST_BUFFER];
    size_t buffer_bytes;
    void *extra[5];
};

static bool take_pointers(struct arguments *arguments, const struct facet_launch *launch, const struct facet_twin *twin)
{
    if (twin->parameters > MOST_PARAMETERS || (launch->parameters == NULL && twin->parameters > 0))
        return false;
    if (twin->parameters > 0)
        memcpy(arguments->pointers, launch->parameters, twin->parameters * sizeof(void *));
    arguments->pointers[twin->parameters] = arguments->hidden;
    return true;
}

/* A buffer with all arguments in it, as cuLaunchKernel's extra names it. */
static bool take_buffer(struct arguments *arguments, const struct facet_launch *launch, const struct facet_twin *twin)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    for (void **each = launch->extra; *each != CU_LAUNCH_PARAM_END; each += 2) {
        if (*each == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = each[1];
        else if (*each == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)each[1];
        else
            return false;
    }
    if (buffer == NULL || twin->offset + HIDDEN_BYTES > MOST_BUFFER)
        return false;
    memset(arguments->buffer, 0, twin->offset);
    memcpy(arguments->buffer, buffer, bytes < twin->offset ? bytes : twin->offset);
    arguments->buffer_bytes = twin->offset + HIDDEN_BYTES;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments->buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &arguments->buffer_bytes, CU_LAUNCH_PARAM_END};
    memcpy(arguments->extra, extra, sizeof extra);
    return true;
}

/* What the program has set for the kernel, its twin is to have too. */
static void follow(const struct facet_launch *launch, CUfunction function, const struct facet_twin *twin, bool of_library)
{
    static const CUfunction_attribute followed[] = {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
    struct facet_where where;
    if (facet_where(&where) != CUDA_SUCCESS)
        return;
    for (size_t i = 0; i < sizeof followed / sizeof *followed; i++) {
        int value, own;
        CUresult result = of_library ? facet_vendor.cuKernelGetAttribute(&value, followed[i], (CUkernel)launch->function, where.vendor)
                                     : facet_vendor.cuFuncGetAttribute(&value, followed[i], launch->function);
        if (result != CUDA_SUCCESS)
            continue;
        if (twin->code->module == NULL) {
            if (facet_vendor.cuKernelGetAttribute(&own, followed[i], (CUkernel)function, where.vendor) != CUDA_SUCCESS || own != value)
                facet_vendor.cuKernelSetAttribute(followed[i], value, (CUkernel)function, where.vendor);
        } else if (facet_vendor.cuFuncGetAttribute(&own, followed[i], function) != CUDA_SUCCESS || own != value) {
            facet_vendor.cuFuncSetAttribute(function, followed[i], value);
        }
    }
}

uint64_t facet_multiprocessors(void)
{
    struct facet_where where;
    int count = 0;
    if (facet_where(&where) != CUDA_SUCCESS ||
        facet_vendor.cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, where.vendor) != CUDA_SUCCESS || count < 1)
        return 1;
    return (uint64_t)count;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* The next box of a range of blocks, which are counted with x first, then y, then z. Returns how many it has. facet.ptx.rewrite.BlockBox */
static uint64_t box(const unsigned int grid[3], uint64_t first, uint64_t count, uint32_t hidden[6], unsigned int size[3])
{
    uint64_t row = grid[0], plane = row * grid[1], x = first % row, y = first / row % grid[1];
    size[0] = grid[0];
    size[1] = size[2] = 1;
    if (x != 0 || count < row)
        size[0] = (unsigned int)smaller(count, row - x);
    else if (y != 0 || count < plane)
        size[1] = (unsigned int)smaller(count / row, grid[1] - y);
    else {
        size[1] = grid[1];
        size[2] = (unsigned int)(count / plane);
    }
    hidden[0] = (uint32_t)x;
    hidden[1] = (uint32_t)y;
    hidden[2] = (uint32_t)(first / plane);
    for (int i = 0; i < 3; i++)
        hidden[3 + i] = grid[i];
    return (uint64_t)size[0] * size[1] * size[2];
}

static CUresult give_range(const struct facet_launch *launch, CUfunction function, struct arguments *arguments, uint64_t first, uint64_t count)
{
    bool buffer = launch->extra != NULL && launch->parameters == NULL;
    CUresult result = CUDA_SUCCESS;
    while (count > 0 && result == CUDA_SUCCESS) {
        unsigned int size[3];
        uint64_t done = box(launch->grid, first, count, arguments->hidden, size);
        if (buffer)
            memcpy(arguments->buffer + arguments->buffer_bytes - HIDDEN_BYTES, arguments->hidden, HIDDEN_BYTES);
        result = facet_launch_give(launch, function, size, buffer ? NULL : arguments->pointers, buffer ? arguments->extra : NULL);
        first += done;
        count -= done;
    }
    return result;
}

/* Its driver does not do it in parts. */
static CUresult never(const struct facet_launch *launch, struct facet_twin *twin)
{
    CUresult result = facet_launch_whole(launch);
    if (result == CUDA_SUCCESS && !atomic_exchange(&twin->never, true)) /* else it is the launch that is wrong */
        facet_whole_tell(FACET_WHOLE_KERNEL);
    return result;
}

/* Whatever goes wrong with the first part: the program gets the answer to its own launch. */
static CUresult give_parts(const struct facet_launch *launch, struct facet_twin *twin, CUfunction function, struct arguments *arguments)
{
    CUstream stream = facet_launch_stream(launch);
    uint64_t blocks = facet_launch_blocks(launch), processors = facet_multiprocessors(), done = 0;
    bool stuck = false;
    while (done < blocks) {
        /* What waits for something that comes behind it in the program would wait for ever. */
        uint64_t left = blocks - done, count = stuck ? left : facet_pace_next(&twin->pace, left, processors);
        if (facet_ranges() == FACET_RANGES_ALWAYS)
            count = smaller(left, 1 + blocks / 3);
        struct facet_turn turn;
        CUresult result = facet_time_enter_alone(&turn, stream, &twin->pace, count);
        if (result == CUDA_SUCCESS) {
            stuck |= turn.stuck;
            result = facet_time_leave(&turn, give_range(launch, function, arguments, done, count));
        }
        if (result != CUDA_SUCCESS)
            return done > 0 ? result : never(launch, twin);
        done += count;
        if (done < blocks && atomic_load(&twin->pace.block) == 0)
            stuck |= !facet_time_await(stream);
    }
    return CUDA_SUCCESS;
}

CUresult facet_launch_in_parts(const struct facet_launch *launch, struct facet_twin *twin, bool of_library)
{
    bool buffer = launch->extra != NULL && launch->parameters == NULL;
    CUfunction function = facet_twin_function(twin);
    struct arguments *arguments = malloc(sizeof *arguments); /* more than a thread's stack may have */
    CUresult result;
    if (function == NULL || arguments == NULL || !(buffer ? take_buffer(arguments, launch, twin) : take_pointers(arguments, launch, twin))) {
        result = never(launch, twin);
    } else {
        follow(launch, function, twin, of_library);
        result = give_parts(launch, twin, function, arguments);
    }
    free(arguments);
    return result;
}
