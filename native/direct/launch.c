/* Launches of kernels. One that takes long beside others is given to the driver in parts (parts.c). All others are launched as they come. */
#include "launch.h"

#include "time.h"
#include "vendor.h"
#include "whole.h"

enum { SAMPLED = 64 }; /* of so many short launches one is measured */

/* Gives a box of the grid to the driver. */
CUresult facet_launch_give(const struct facet_launch *launch, CUfunction function, const unsigned int size[3], void **parameters, void **extra)
{
    if (launch->config == NULL)
        return (launch->per_thread ? facet_vendor.cuLaunchKernel_ptsz
                                   : facet_vendor.cuLaunchKernel)(function, size[0], size[1], size[2], launch->block[0], launch->block[1],
                                                                  launch->block[2], launch->shared, launch->stream, parameters, extra);
    CUlaunchConfig config = *launch->config;
    config.gridDimX = size[0];
    config.gridDimY = size[1];
    config.gridDimZ = size[2];
    return (launch->per_thread ? facet_vendor.cuLaunchKernelEx_ptsz : facet_vendor.cuLaunchKernelEx)(&config, function, parameters, extra);
}

static CUresult whole(const struct facet_launch *launch)
{
    if (launch->config != NULL)
        return (launch->per_thread ? facet_vendor.cuLaunchKernelEx_ptsz : facet_vendor.cuLaunchKernelEx)(launch->config, launch->function,
                                                                                                         launch->parameters, launch->extra);
    return facet_launch_give(launch, launch->function, launch->grid, launch->parameters, launch->extra);
}

CUresult facet_launch_whole(const struct facet_launch *launch)
{
    struct facet_turn turn;
    CUresult result = facet_time_enter(&turn, FACET_WORK_LAUNCH, facet_launch_stream(launch));
    return result != CUDA_SUCCESS ? result : facet_time_leave(&turn, whole(launch));
}

static CUresult launch_measured(const struct facet_launch *launch, struct facet_twin *twin)
{
    struct facet_turn turn;
    CUresult result = facet_time_enter_alone(&turn, facet_launch_stream(launch), &twin->pace, facet_launch_blocks(launch));
    return result != CUDA_SUCCESS ? result : facet_time_leave(&turn, whole(launch));
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
            facet_whole_tell(FACET_WHOLE_ATTRIBUTES);
            return false;
        }
    return true;
}

static bool is_plain(const struct facet_launch *launch)
{
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] == 0 || (i > 0 && launch->grid[i] > 65535))
            return false; /* the driver says what is wrong with it */
    return can_be_parted(launch->config);
}

static CUresult launch(const struct facet_launch *launch)
{
    bool of_library;
    struct facet_twin *twin = facet_twins_any() ? facet_twin_of(launch->function, &of_library) : NULL;
    bool always = twin != NULL && facet_ranges() == FACET_RANGES_ALWAYS;
    if (twin == NULL || twin->never || !(always || facet_time_in_company()) || !is_plain(launch) || facet_time_captured(facet_launch_stream(launch)))
        return facet_launch_whole(launch);
    uint64_t blocks = facet_launch_blocks(launch);
    if (always && blocks > 1)
        return facet_launch_in_parts(launch, twin, of_library);
    int64_t estimate = facet_pace_estimate(&twin->pace, blocks);
    uint32_t number = atomic_fetch_add_explicit(&twin->pace.launches, 1, memory_order_relaxed);
    if (atomic_load_explicit(&twin->pace.block, memory_order_relaxed) == 0)
        return blocks > facet_pace_next(&twin->pace, blocks, facet_multiprocessors()) ? facet_launch_in_parts(launch, twin, of_library)
                                                                                      : launch_measured(launch, twin);
    if (estimate > 2 * FACET_PART && blocks > 1)
        return facet_launch_in_parts(launch, twin, of_library);
    return estimate > FACET_PART / 4 || number % SAMPLED == 0 ? launch_measured(launch, twin) : facet_launch_whole(launch);
}

CUresult facet_direct_cuLaunchKernel(bool per_thread, CUfunction function, unsigned int x, unsigned int y, unsigned int z, unsigned int block_x,
                                     unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters,
                                     void **extra)
{
    struct facet_launch one = {.per_thread = per_thread,
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
    struct facet_launch one = {.per_thread = per_thread,
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

/* All blocks are there at the same time, so it stays whole. */
CUresult facet_direct_cuLaunchCooperativeKernel(bool per_thread, CUfunction function, unsigned int x, unsigned int y, unsigned int z,
                                                unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                                                CUstream stream, void **parameters)
{
    struct facet_turn turn;
    facet_whole_tell(FACET_WHOLE_COOPERATIVE);
    CUresult result = facet_time_enter(&turn, FACET_WORK_LAUNCH, stream == NULL && per_thread ? CU_STREAM_PER_THREAD : stream);
    if (result != CUDA_SUCCESS)
        return result;
    result = (per_thread ? facet_vendor.cuLaunchCooperativeKernel_ptsz : facet_vendor.cuLaunchCooperativeKernel)(function, x, y, z, block_x, block_y,
                                                                                                                 block_z, shared, stream, parameters);
    return facet_time_leave(&turn, result);
}
