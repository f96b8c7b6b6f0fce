/* Launches of kernels. One that takes long beside others is given to the driver in parts, by its twin; between them the device may go to somebody
 * else. All others are launched as they come. */
#include <string.h>

#include "time.h"
#include "twins.h"
#include "vendor.h"
#include "work.h"

enum {
    HIDDEN_BYTES = 24,       /* facet.ptx.rewrite.HiddenArguments */
    MOST_PARAMETERS = 4096,  /* more are launched whole */
    MOST_BUFFER = 32768,
    SAMPLED = 64,            /* of so many short launches one is measured */
};

/* A launch, in whichever way it came. */
struct launch {
    bool per_thread;
    const CUlaunchConfig *config; /* NULL: it has no attributes */
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    CUstream stream;
    void **parameters, **extra;
};

static CUstream timed_stream(const struct launch *launch)
{
    return launch->stream == NULL && launch->per_thread ? CU_STREAM_PER_THREAD : launch->stream;
}

/* Gives a box of the grid to the driver. */
static CUresult give(const struct launch *launch, CUfunction function, const unsigned int size[3], void **parameters, void **extra)
{
    if (launch->config == NULL)
        return (launch->per_thread ? facet_vendor.cuLaunchKernel_ptsz : facet_vendor.cuLaunchKernel)(
            function, size[0], size[1], size[2], launch->block[0], launch->block[1], launch->block[2], launch->shared, launch->stream, parameters, extra);
    CUlaunchConfig config = *launch->config;
    config.gridDimX = size[0];
    config.gridDimY = size[1];
    config.gridDimZ = size[2];
    return (launch->per_thread ? facet_vendor.cuLaunchKernelEx_ptsz : facet_vendor.cuLaunchKernelEx)(&config, function, parameters, extra);
}

static CUresult whole(const struct launch *launch)
{
    if (launch->config != NULL)
        return (launch->per_thread ? facet_vendor.cuLaunchKernelEx_ptsz : facet_vendor.cuLaunchKernelEx)(launch->config, launch->function,
                                                                                                       launch->parameters, launch->extra);
    return give(launch, launch->function, launch->grid, launch->parameters, launch->extra);
}

static CUresult launch_whole(const struct launch *launch)
{
    struct facet_turn turn;
    CUresult result = facet_time_enter(&turn, FACET_WORK_LAUNCH, timed_stream(launch));
    return result != CUDA_SUCCESS ? result : facet_time_leave(&turn, whole(launch));
}

static uint64_t blocks_of(const struct launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static CUresult launch_measured(const struct launch *launch, struct facet_twin *twin)
{
    struct facet_turn turn;
    CUresult result = facet_time_enter_alone(&turn, timed_stream(launch), &twin->pace, blocks_of(launch));
    return result != CUDA_SUCCESS ? result : facet_time_leave(&turn, whole(launch));
}

/* ---- in parts */

/* What the twin is given: the program's arguments and, behind them, where a part is. */
struct arguments {
    uint32_t hidden[HIDDEN_BYTES / 4];
    void *pointers[MOST_PARAMETERS + 1];
    char buffer[MOST_BUFFER];
    size_t buffer_bytes;
    void *extra[5];
};

static bool take_pointers(struct arguments *arguments, const struct launch *launch, const struct facet_twin *twin)
{
    if (twin->parameters > MOST_PARAMETERS || (launch->parameters == NULL && twin->parameters > 0))
        return false;
    if (twin->parameters > 0)
        memcpy(arguments->pointers, launch->parameters, twin->parameters * sizeof(void *));
    arguments->pointers[twin->parameters] = arguments->hidden;
    return true;
}

/* A buffer with all arguments in it, as cuLaunchKernel's extra names it. */
static bool take_buffer(struct arguments *arguments, const struct launch *launch, const struct facet_twin *twin)
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
static void follow(const struct launch *launch, CUfunction function, const struct facet_twin *twin, bool of_library)
{
    static const CUfunction_attribute followed[] = {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
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

static uint64_t multiprocessors(void)
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

static CUresult give_range(const struct launch *launch, CUfunction function, struct arguments *arguments, uint64_t first, uint64_t count)
{
    bool buffer = launch->extra != NULL && launch->parameters == NULL;
    CUresult result = CUDA_SUCCESS;
    while (count > 0 && result == CUDA_SUCCESS) {
        unsigned int size[3];
        uint64_t done = box(launch->grid, first, count, arguments->hidden, size);
        if (buffer)
            memcpy(arguments->buffer + arguments->buffer_bytes - HIDDEN_BYTES, arguments->hidden, HIDDEN_BYTES);
        result = give(launch, function, size, buffer ? NULL : arguments->pointers, buffer ? arguments->extra : NULL);
        first += done;
        count -= done;
    }
    return result;
}

/* Whatever goes wrong with the first part: the program gets the answer to its own launch. */
static CUresult launch_in_parts(const struct launch *launch, struct facet_twin *twin, bool of_library)
{
    struct arguments arguments;
    bool buffer = launch->extra != NULL && launch->parameters == NULL;
    CUfunction function = facet_twin_function(twin);
    if (function == NULL || !(buffer ? take_buffer(&arguments, launch, twin) : take_pointers(&arguments, launch, twin))) {
        atomic_store(&twin->never, true);
        return launch_whole(launch);
    }
    follow(launch, function, twin, of_library);
    CUstream stream = timed_stream(launch);
    uint64_t blocks = blocks_of(launch), processors = multiprocessors(), done = 0;
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
            result = facet_time_leave(&turn, give_range(launch, function, &arguments, done, count));
        }
        if (result != CUDA_SUCCESS && done > 0)
            return result;
        if (result != CUDA_SUCCESS) {
            result = launch_whole(launch);
            atomic_store(&twin->never, result == CUDA_SUCCESS); /* else it is the launch that is wrong */
            return result;
        }
        done += count;
        if (done < blocks && atomic_load(&twin->pace.block) == 0)
            stuck |= !facet_time_await(stream);
    }
    return CUDA_SUCCESS;
}

/* ---- which way */

/* Attributes that mean the same for a part. */
static bool can_be_parted(const CUlaunchConfig *config)
{
    for (unsigned int i = 0; config != NULL && i < config->numAttrs; i++)
        switch (config->attrs[i].id) {
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
            break;
        default:
            return false;
        }
    return true;
}

static bool is_plain(const struct launch *launch)
{
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] == 0 || (i > 0 && launch->grid[i] > 65535))
            return false; /* the driver says what is wrong with it */
    return can_be_parted(launch->config);
}

static CUresult launch(const struct launch *launch)
{
    bool of_library;
    struct facet_twin *twin = facet_twins_any() ? facet_twin_of(launch->function, &of_library) : NULL;
    bool always = twin != NULL && facet_ranges() == FACET_RANGES_ALWAYS;
    if (twin == NULL || twin->never || !(always || facet_time_in_company()) || !is_plain(launch) || facet_time_captured(timed_stream(launch)))
        return launch_whole(launch);
    uint64_t blocks = blocks_of(launch);
    if (always && blocks > 1)
        return launch_in_parts(launch, twin, of_library);
    int64_t estimate = facet_pace_estimate(&twin->pace, blocks);
    uint32_t number = atomic_fetch_add_explicit(&twin->pace.launches, 1, memory_order_relaxed);
    if (atomic_load_explicit(&twin->pace.block, memory_order_relaxed) == 0)
        return blocks > facet_pace_next(&twin->pace, blocks, multiprocessors()) ? launch_in_parts(launch, twin, of_library) : launch_measured(launch, twin);
    if (estimate > 2 * FACET_PART && blocks > 1)
        return launch_in_parts(launch, twin, of_library);
    return estimate > FACET_PART / 4 || number % SAMPLED == 0 ? launch_measured(launch, twin) : launch_whole(launch);
}

CUresult facet_direct_cuLaunchKernel(bool per_thread, CUfunction function, unsigned int x, unsigned int y, unsigned int z, unsigned int block_x,
                                     unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters, void **extra)
{
    struct launch one = {.per_thread = per_thread,
                         .function = function,
                         .grid = {x, y, z},
                         .block = {block_x, block_y, block_z},
                         .shared = shared,
                         .stream = stream,
                         .parameters = parameters,
                         .extra = extra};
    return launch(&one);
}

CUresult facet_direct_cuLaunchKernelEx(bool per_thread, const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
    if (config == NULL)
        return (per_thread ? facet_vendor.cuLaunchKernelEx_ptsz : facet_vendor.cuLaunchKernelEx)(config, function, parameters, extra);
    struct launch one = {.per_thread = per_thread,
                         .config = config,
                         .function = function,
                         .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                         .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                         .shared = config->sharedMemBytes,
                         .stream = config->hStream,
                         .parameters = parameters,
                         .extra = extra};
    return launch(&one);
}
