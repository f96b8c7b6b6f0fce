/* Launches. The way of cudaLaunchKernel to cuLaunchKernel takes no lock and allocates nothing. */
#include <limits.h>
#include <stdlib.h>

#include "runtime.h"

/* ---- kernel<<<grid, block, shared, stream>>> pushes; the kernel's stub pops, then launches */

struct configuration {
    dim3 grid;
    dim3 block;
    size_t shared;
    cudaStream_t stream;
    struct configuration *below; /* an argument of the kernel may launch another one */
};

static _Thread_local struct {
    struct configuration top;
    bool full;
} pushed __attribute__((tls_model("initial-exec")));

unsigned facet___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    struct configuration *below = NULL;
    if (__builtin_expect(pushed.full, 0)) {
        below = malloc(sizeof *below);
        if (below == NULL)
            return (unsigned)facet_latch(cudaErrorMemoryAllocation);
        *below = pushed.top;
    }
    pushed.top = (struct configuration){grid, block, shared, stream, below};
    pushed.full = true;
    return cudaSuccess;
}

cudaError_t facet___cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!pushed.full)
        return facet_latch(cudaErrorMissingConfiguration);
    *grid = pushed.top.grid;
    *block = pushed.top.block;
    *shared = pushed.top.shared;
    *(cudaStream_t *)stream = pushed.top.stream;
    struct configuration *below = pushed.top.below;
    if (__builtin_expect(below == NULL, 1)) {
        pushed.full = false;
    } else {
        pushed.top = *below;
        free(below);
    }
    return cudaSuccess;
}

/* ---- launching */

static bool within(unsigned value, int limit, CUdevice device)
{
    int most = INT_MAX;
    return value != 0 && cuDeviceGetAttribute(&most, limit, device) == CUDA_SUCCESS && value <= (unsigned)most;
}

/* The runtime has an error of its own for wrong dimensions, where the driver says just 'invalid value'. */
static cudaError_t refused(CUresult result, dim3 grid, dim3 block)
{
    CUdevice device;
    if (result == CUDA_ERROR_NOT_FOUND)
        return cudaErrorInvalidDeviceFunction;
    if (result != CUDA_ERROR_INVALID_VALUE || cuCtxGetDevice(&device) != CUDA_SUCCESS)
        return facet_error(result);
    unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    bool good = within(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, device) && within(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, device) &&
                within(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, device) && within(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, device) &&
                within(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, device) && within(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, device) &&
                threads <= UINT_MAX && within((unsigned)threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device);
    return good ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
}

static inline cudaError_t launch(struct facet_symbol *symbol, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    if (symbol == NULL || symbol->kind != FACET_KERNEL)
        return facet_latch(cudaErrorInvalidDeviceFunction);
    if (shared > UINT_MAX)
        return facet_latch(cudaErrorInvalidValue);
    const struct facet_binding *binding;
    CUresult result = facet_bind(symbol, &binding);
    if (__builtin_expect(result == CUDA_SUCCESS, 1))
        result = cuLaunchKernel(binding->function, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, stream, arguments, NULL);
    if (__builtin_expect(result == CUDA_SUCCESS, 1))
        return cudaSuccess;
    return facet_latch(refused(result, grid, block));
}

cudaError_t facet_cudaLaunchKernel(bool per_thread, const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(facet_registry_find(function), grid, block, arguments, shared, facet_stream(per_thread, stream));
}

/* Only nvcc's code calls it, with what __cudaGetKernel gave. */
cudaError_t facet___cudaLaunchKernel(bool per_thread, cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                     cudaStream_t stream)
{
    return launch(facet_registry_find(kernel), grid, block, arguments, shared, facet_stream(per_thread, stream));
}

cudaError_t facet_cudaLaunchCooperativeKernel(bool per_thread, const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                                              cudaStream_t stream)
{
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(function, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    if (shared > UINT_MAX)
        return facet_latch(cudaErrorInvalidValue);
    CUresult result = cuLaunchCooperativeKernel(handle, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared,
                                                facet_stream(per_thread, stream), arguments);
    return result == CUDA_SUCCESS ? cudaSuccess : facet_latch(refused(result, grid, block));
}

/* A list of one device: the driver says what becomes of more. */
cudaError_t facet_cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches, unsigned count, unsigned flags)
{
    CUDA_LAUNCH_PARAMS list[1];
    if (launches == NULL || count == 0)
        return facet_latch(cudaErrorInvalidValue);
    if (count > 1)
        return facet_cudart_unsupported("cooperative launches over several devices");
    const struct cudaLaunchParams *only = launches;
    CUfunction handle;
    cudaError_t error = facet_bind_kernel(only->func, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    if (only->sharedMem > UINT_MAX)
        return facet_latch(cudaErrorInvalidValue);
    list[0] = (CUDA_LAUNCH_PARAMS){handle,           only->gridDim.x,  only->gridDim.y,           only->gridDim.z, only->blockDim.x,
                                   only->blockDim.y, only->blockDim.z, (unsigned)only->sharedMem, only->stream,    only->args};
    CUresult result = cuLaunchCooperativeKernelMultiDevice(list, 1, flags);
    return result == CUDA_SUCCESS ? cudaSuccess : facet_latch(refused(result, only->gridDim, only->blockDim));
}

_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "launch attributes are handed on as they are");

/* The same for the driver; false when that has no room for it. */
static bool translate(const cudaLaunchConfig_t *config, cudaStream_t stream, CUlaunchConfig *launch)
{
    if (config == NULL || config->dynamicSmemBytes > UINT_MAX)
        return false;
    *launch = (CUlaunchConfig){
        .gridDimX = config->gridDim.x,
        .gridDimY = config->gridDim.y,
        .gridDimZ = config->gridDim.z,
        .blockDimX = config->blockDim.x,
        .blockDimY = config->blockDim.y,
        .blockDimZ = config->blockDim.z,
        .sharedMemBytes = (unsigned)config->dynamicSmemBytes,
        .hStream = stream,
        .attrs = (CUlaunchAttribute *)(void *)config->attrs,
        .numAttrs = config->numAttrs,
    };
    return true;
}

cudaError_t facet_cudaLaunchKernelExC(bool per_thread, const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
    CUfunction handle;
    CUlaunchConfig launch;
    if (!translate(config, config == NULL ? NULL : facet_stream(per_thread, config->stream), &launch))
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_kernel(function, &handle);
    if (error != cudaSuccess)
        return facet_latch(error);
    CUresult result = cuLaunchKernelEx(&launch, handle, arguments, NULL);
    return result == CUDA_SUCCESS ? cudaSuccess : facet_latch(refused(result, config->gridDim, config->blockDim));
}

/* ---- how many clusters fit: of a launch that is only described */

static cudaError_t ask(CUresult (*question)(int *, CUfunction, const CUlaunchConfig *), int *answer, const void *function,
                       const cudaLaunchConfig_t *config)
{
    CUfunction handle;
    CUlaunchConfig launch;
    if (answer == NULL || !translate(config, NULL, &launch))
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_kernel(function, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(question(answer, handle, &launch));
}

cudaError_t facet_cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
    return ask(cuOccupancyMaxActiveClusters, clusters, function, config);
}

cudaError_t facet_cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function, const cudaLaunchConfig_t *config)
{
    return ask(cuOccupancyMaxPotentialClusterSize, blocks, function, config);
}

cudaError_t facet_cudaLaunchHostFunc(bool per_thread, cudaStream_t stream, cudaHostFn_t function, void *data)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLaunchHostFunc(facet_stream(per_thread, stream), function, data);
    return facet_finish(result);
}

/* Of the days when devices had no doubles. */
cudaError_t facet_cudaSetDoubleForDevice(double *value)
{
    (void)value;
    return cudaSuccess;
}

cudaError_t facet_cudaSetDoubleForHost(double *value)
{
    (void)value;
    return cudaSuccess;
}
