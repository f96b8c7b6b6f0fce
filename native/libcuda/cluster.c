/* Clusters of blocks: which one a launch has, whether it may, and how many fit. */
#include <string.h>

#include "launch.h"
#include "occupancy.h"

void facet_launch_cluster(const CUlaunchAttributeValue *value, unsigned cluster[3])
{
    cluster[0] = value->clusterDim.x;
    cluster[1] = value->clusterDim.y;
    cluster[2] = value->clusterDim.z;
}

static void kernels(const struct facet_function *function, unsigned cluster[3])
{
    uint32_t packed = function->record->cluster;
    for (int i = 0; i < 3; i++)
        cluster[i] = packed >> 8 * i & 0xff;
}

CUresult facet_cluster_of(const struct facet_launch *launch, const struct facet_function *function, unsigned cluster[3])
{
    unsigned required[3];
    kernels(function, required);
    if (required[0] == 0)
        memcpy(required, function->cluster, sizeof required);
    bool names = launch->cluster[0] != 0;
    if (names && required[0] != 0 && memcmp(required, launch->cluster, sizeof required) != 0)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    memcpy(cluster, names ? launch->cluster : required, sizeof required);
    if (cluster[0] == 0)
        cluster[0] = cluster[1] = cluster[2] = 1;
    return CUDA_SUCCESS;
}

CUresult facet_cluster_check(const struct facet_function *function, const unsigned cluster[3])
{
    const struct facet_device_record *device = facet_device(function->object.context->device);
    if (device == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    unsigned most = function->non_portable_cluster ? FACET_MOST_CLUSTER : FACET_PORTABLE_CLUSTER;
    unsigned blocks = 1;
    for (int i = 0; i < 3; i++) {
        if (cluster[i] == 0 || cluster[i] > most)
            return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        blocks *= cluster[i];
    }
    if (blocks > most)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (blocks > 1 && device->attributes[CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH] == 0)
        return facet_unsupported("clusters of blocks on a device before compute capability 9.0");
    return CUDA_SUCCESS;
}

/* ---- occupancy */

/* A launch as a configuration describes it, without what does not count here. */
static CUresult read_config(const CUlaunchConfig *config, CUfunction handle, struct facet_launch *launch, struct facet_function **function)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_function_resolve(handle, NULL, function);
    if (result != CUDA_SUCCESS)
        return result;
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    *launch = (struct facet_launch){.block = {config->blockDimX, config->blockDimY, config->blockDimZ}, .shared = config->sharedMemBytes};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            continue;
        facet_launch_cluster(&config->attrs[i].value, launch->cluster);
        if (launch->cluster[0] == 0 || launch->cluster[1] == 0 || launch->cluster[2] == 0)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* Blocks that fit on the device; 0 when not even one does. */
static uint64_t fit(const struct facet_launch *launch, const struct facet_function *function)
{
    const struct facet_device_record *device = facet_device(function->object.context->device);
    uint64_t plane = (uint64_t)launch->block[0] * launch->block[1];
    if (device == NULL || plane == 0 || plane > function->record->max_threads || plane * launch->block[2] > function->record->max_threads ||
        launch->shared > (unsigned)function->max_dynamic_shared)
        return 0;
    struct facet_multiprocessor on = facet_multiprocessor_of(device);
    uint64_t shared = (uint64_t)function->record->shared_bytes + launch->shared;
    unsigned threads = (unsigned)(plane * launch->block[2]);
    return (uint64_t)facet_blocks_that_fit(&on, threads, shared, function->record->registers) * (unsigned)on.count;
}

CUresult facet_cuOccupancyMaxActiveClusters(int *clusters, CUfunction handle, const CUlaunchConfig *config)
{
    struct facet_launch launch;
    struct facet_function *function;
    unsigned cluster[3];
    CUresult result = read_config(config, handle, &launch, &function);
    if (result == CUDA_SUCCESS)
        result = facet_cluster_of(&launch, function, cluster);
    if (result == CUDA_SUCCESS)
        result = facet_cluster_check(function, cluster);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t blocks = fit(&launch, function);
    uint64_t most = blocks / (cluster[0] * cluster[1] * cluster[2]);
    /* One cluster always fits when its blocks are allowed at all: the device runs it on one core. */
    *clusters = blocks == 0 ? 0 : most == 0 ? 1 : most > INT32_MAX ? INT32_MAX : (int)most;
    return CUDA_SUCCESS;
}

CUresult facet_cuOccupancyMaxPotentialClusterSize(int *blocks, CUfunction handle, const CUlaunchConfig *config)
{
    struct facet_launch launch;
    struct facet_function *function;
    CUresult result = read_config(config, handle, &launch, &function);
    if (result != CUDA_SUCCESS)
        return result;
    unsigned required[3];
    kernels(function, required);
    const struct facet_device_record *device = facet_device(function->object.context->device);
    bool has = device != NULL && device->attributes[CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH] != 0;
    if (fit(&launch, function) == 0)
        *blocks = 0;
    else if (!has)
        *blocks = 1;
    else if (required[0] != 0)
        *blocks = (int)(required[0] * required[1] * required[2]);
    else
        *blocks = function->non_portable_cluster ? FACET_MOST_CLUSTER : FACET_PORTABLE_CLUSTER;
    return CUDA_SUCCESS;
}
