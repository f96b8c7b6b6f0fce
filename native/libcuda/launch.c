/* Launches. Everything that CUDA refuses at the call is refused here: the host is only told what to run. */
#include "launch.h"

#include "arguments.h"
#include "graph/capture.h"
#include "occupancy.h"
#include "stream.h"

static bool within(const unsigned extent[3], const int32_t limits[3])
{
    return extent[0] - 1 < (unsigned)limits[0] && extent[1] - 1 < (unsigned)limits[1] && extent[2] - 1 < (unsigned)limits[2];
}

CUresult facet_launch_check(const struct facet_launch *launch, const struct facet_function *function)
{
    const struct facet_device_record *device = facet_device(function->object.context->device);
    if (device == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    const int32_t *attributes = device->attributes;
    if (!within(launch->block, &attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X]) ||
        !within(launch->grid, &attributes[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X])) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (threads > (uint64_t)attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK])
        return CUDA_ERROR_INVALID_VALUE;
    if (threads > function->record->max_threads)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (launch->shared > (unsigned)function->max_dynamic_shared)
        return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_expect(launch->cluster[0] != 0 || function->record->cluster != 0 || function->cluster[0] != 0, 0)) {
        unsigned cluster[3];
        CUresult result = facet_cluster_of(launch, function, cluster);
        if (result == CUDA_SUCCESS)
            result = facet_cluster_check(function, cluster);
        if (result != CUDA_SUCCESS)
            return result;
        if (launch->grid[0] % cluster[0] != 0 || launch->grid[1] % cluster[1] != 0 || launch->grid[2] % cluster[2] != 0)
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (launch->cooperative) {
        struct facet_multiprocessor on = facet_multiprocessor_of(device);
        uint64_t shared = (uint64_t)function->record->shared_bytes + launch->shared;
        uint64_t most = (uint64_t)facet_blocks_that_fit(&on, (unsigned)threads, shared, function->record->registers) * (unsigned)on.count;
        uint64_t plane = (uint64_t)launch->grid[0] * launch->grid[1];
        if (plane > most || plane * launch->grid[2] > most)
            return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    return CUDA_SUCCESS;
}

static CUresult capture(struct facet_context *context, struct facet_stream *stream, CUfunction handle, const struct facet_launch *launch,
                        void **values, void **extra)
{
    CUDA_KERNEL_NODE_PARAMS_v2 params = {
        .func = handle,
        .gridDimX = launch->grid[0],
        .gridDimY = launch->grid[1],
        .gridDimZ = launch->grid[2],
        .blockDimX = launch->block[0],
        .blockDimY = launch->block[1],
        .blockDimZ = launch->block[2],
        .sharedMemBytes = launch->shared,
        .kernelParams = values,
        .extra = extra,
    };
    return facet_capture_launch(context, stream, &params, launch);
}

static void *begin(struct facet_context *context, struct facet_stream *stream, const struct facet_function *function,
                   const struct facet_launch *launch)
{
    uint32_t flags = launch->cooperative ? FACET_LAUNCH_COOPERATIVE : 0;
    const unsigned *cluster = launch->cluster[0] != 0 ? launch->cluster : function->cluster;
    if (__builtin_expect(cluster[0] == 0, 1)) {
        return facet_begin_launch(context, stream, function->module->object.id, function->index, launch->grid[0], launch->grid[1], launch->grid[2],
                                  launch->block[0], launch->block[1], launch->block[2], launch->shared, flags, function->record->parameter_bytes);
    }
    return facet_begin_launch_clusters(context, stream, function->module->object.id, function->index, launch->grid[0], launch->grid[1],
                                       launch->grid[2], launch->block[0], launch->block[1], launch->block[2], launch->shared, flags, cluster[0],
                                       cluster[1], cluster[2], function->record->parameter_bytes);
}

static CUresult launch(bool per_thread, CUfunction handle, const struct facet_launch *launch, CUstream stream_handle, void **values, void **extra)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(stream_handle, per_thread, &context, &stream);
    if (__builtin_expect(result == CUDA_SUCCESS && atomic_load_explicit(&facet_captures, memory_order_relaxed) != 0, 0)) {
        if (facet_capturing(stream))
            return capture(context, stream, handle, launch, values, extra);
        result = facet_capture_unsupported(context, stream);
    }
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_function *function;
    result = facet_function_resolve(handle, context, &function);
    if (result != CUDA_SUCCESS)
        return result;
    if (function->object.context != context)
        return CUDA_ERROR_INVALID_HANDLE;
    result = facet_launch_check(launch, function);
    if (result != CUDA_SUCCESS)
        return result;
    const struct facet_function_record *record = function->record;
    struct facet_arguments arguments;
    result = facet_arguments_find(record, values, extra, &arguments);
    if (result != CUDA_SUCCESS)
        return result;
    void *place = begin(context, stream, function, launch);
    if (place == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (facet_object(function, FACET_FUNCTION) == NULL) { /* unloaded meanwhile */
        facet_command_cancel();
        return CUDA_ERROR_INVALID_HANDLE;
    }
    facet_arguments_pack(record, function->parameters, &arguments, place);
    facet_command_post_in(context, stream);
    return CUDA_SUCCESS;
}

CUresult facet_cuLaunchKernel(bool per_thread, CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                              unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **values,
                              void **extra)
{
    struct facet_launch what = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, false, {0, 0, 0}};
    return launch(per_thread, function, &what, stream, values, extra);
}

CUresult facet_cuLaunchCooperativeKernel(bool per_thread, CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                         unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream,
                                         void **values)
{
    struct facet_launch what = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true, {0, 0, 0}};
    return launch(per_thread, function, &what, stream, values, NULL);
}

/* Grids that synchronise with each other. On one device that is one grid; a barrier over several devices there is not. */
CUresult facet_cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launches, unsigned int count, unsigned int flags)
{
    enum { NO_SYNC_BEFORE = 1, NO_SYNC_AFTER = 2 };
    if (launches == NULL || count == 0 || (flags & ~(unsigned)(NO_SYNC_BEFORE | NO_SYNC_AFTER)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (count > 1)
        return facet_unsupported("cooperative launches over several devices");
    struct facet_launch what = {{launches->gridDimX, launches->gridDimY, launches->gridDimZ},
                                {launches->blockDimX, launches->blockDimY, launches->blockDimZ},
                                launches->sharedMemBytes,
                                true,
                                {0, 0, 0}};
    return launch(false, launches->function, &what, launches->hStream, launches->kernelParams, NULL);
}

/* Events that a launch records by itself: later than a GPU would, when the whole grid has ended. */
struct marks {
    CUevent events[2];
    int count;
};

static CUresult read_attribute(const CUlaunchAttribute *attribute, struct facet_launch *what, struct marks *marks)
{
    const CUlaunchAttributeValue *value = &attribute->value;
    switch ((int)attribute->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        what->cooperative = value->cooperative != 0;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        if (value->clusterDim.x == 0 || value->clusterDim.y == 0 || value->clusterDim.z == 0)
            return CUDA_ERROR_INVALID_VALUE;
        facet_launch_cluster(value, what->cluster);
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: {
        CUevent event =
            (int)attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ? value->programmaticEvent.event : value->launchCompletionEvent.event;
        if (facet_object(event, FACET_EVENT) == NULL)
            return CUDA_ERROR_INVALID_HANDLE;
        if (marks->count == 2)
            return CUDA_ERROR_INVALID_VALUE;
        marks->events[marks->count++] = event;
        return CUDA_SUCCESS;
    }
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return value->deviceUpdatableKernelNode.deviceUpdatable == 0 ? CUDA_SUCCESS : facet_unsupported("graph nodes updated by the device");
    default:
        return CUDA_SUCCESS; /* hints: caches, priorities, domains, overlap with the next kernel */
    }
}

CUresult facet_cuLaunchKernelEx(bool per_thread, const CUlaunchConfig *config, CUfunction function, void **values, void **extra)
{
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_launch what = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                                {config->blockDimX, config->blockDimY, config->blockDimZ},
                                config->sharedMemBytes,
                                false,
                                {0, 0, 0}};
    struct marks marks = {.count = 0};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        CUresult result = read_attribute(&config->attrs[i], &what, &marks);
        if (result != CUDA_SUCCESS)
            return result;
    }
    CUresult result = launch(per_thread, function, &what, config->hStream, values, extra);
    for (int i = 0; i < marks.count && result == CUDA_SUCCESS; i++)
        result = facet_cuEventRecord(per_thread, marks.events[i], config->hStream);
    return result;
}
