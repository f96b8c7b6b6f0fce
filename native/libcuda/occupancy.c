#include "occupancy.h"

#include "module.h"

/* A function together with the multiprocessor it would run on. A kernel counts in the current context. */
struct place {
    struct facet_function *function;
    struct facet_multiprocessor on;
};

static CUresult place_of(CUfunction handle, struct place *place)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_function_resolve(handle, NULL, &place->function);
    if (result != CUDA_SUCCESS)
        return result;
    const struct facet_device_record *device = facet_device(place->function->object.context->device);
    if (device == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    place->on = facet_multiprocessor_of(device);
    return CUDA_SUCCESS;
}

static int fit(const struct place *place, int threads, size_t dynamic_shared)
{
    if (threads > (int)place->function->record->max_threads || dynamic_shared > (size_t)INT32_MAX)
        return 0;
    return facet_blocks_that_fit(&place->on, (unsigned)threads, place->function->record->shared_bytes + dynamic_shared,
                                 place->function->record->registers);
}

CUresult facet_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads, size_t dynamic_shared,
                                                                    unsigned int flags)
{
    struct place place;
    CUresult result = place_of(function, &place);
    if (result != CUDA_SUCCESS)
        return result;
    if (blocks == NULL || threads <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = fit(&place, threads, dynamic_shared);
    return CUDA_SUCCESS;
}

CUresult facet_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t dynamic_shared)
{
    return facet_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, CU_OCCUPANCY_DEFAULT);
}

/* The block size that keeps most threads resident; the largest of those that do. */
CUresult facet_cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_for,
                                                         size_t dynamic_shared, int limit, unsigned int flags)
{
    struct place place;
    CUresult result = place_of(function, &place);
    if (result != CUDA_SUCCESS)
        return result;
    if (grid == NULL || block == NULL || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    int most = (int)place.function->record->max_threads;
    if (limit > 0 && limit < most)
        most = limit;
    if (most > place.on.block_threads)
        most = place.on.block_threads;
    int warp = place.on.warp;
    int best_threads = 0;
    int best_block = 0;
    int best_fit = 0;
    for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
        int threads = rounded < most ? rounded : most;
        int blocks = fit(&place, threads, shared_for != NULL ? shared_for(threads) : dynamic_shared);
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            best_block = threads;
            best_fit = blocks;
        }
        if (best_threads == place.on.threads)
            break;
    }
    *grid = best_fit * place.on.count;
    *block = best_block;
    return CUDA_SUCCESS;
}

CUresult facet_cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared_for, size_t dynamic_shared,
                                                int limit)
{
    return facet_cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_for, dynamic_shared, limit, CU_OCCUPANCY_DEFAULT);
}

CUresult facet_cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_shared, CUfunction function, int blocks, int threads)
{
    struct place place;
    CUresult result = place_of(function, &place);
    if (result != CUDA_SUCCESS)
        return result;
    if (dynamic_shared == NULL || blocks <= 0 || threads <= 0 || fit(&place, threads, 0) < blocks)
        return CUDA_ERROR_INVALID_VALUE;
    int64_t each = place.on.shared / blocks / 32 * 32;
    int64_t most = place.on.block_shared_optin > place.on.block_shared ? place.on.block_shared_optin : place.on.block_shared;
    int64_t left = (each < most ? each : most) - (int64_t)place.function->record->shared_bytes;
    *dynamic_shared = left > 0 ? (size_t)left : 0;
    return CUDA_SUCCESS;
}
