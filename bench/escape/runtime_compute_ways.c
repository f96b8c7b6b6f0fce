/* Work, through the runtime API. */
#include "escape.h"
#include "types.h"

enum { ROUNDS = 20000 };
#define COPY ((size_t)16 << 20)
#define CALL(name, ...) (*(cudaError_t(*) __VA_ARGS__)(uintptr_t)runtime(#name))

static uint64_t rounds = ROUNDS;
static void *nowhere;
static void *parameters[] = {&rounds, &nowhere};

static const void *work(void)
{
    cudaLibrary_t library;
    cudaKernel_t found;
    MUST(CALL(cudaLibraryLoadData, (cudaLibrary_t *, const void *, int *, void **, unsigned, int *, void **, unsigned))(&library, kernels, NULL, NULL,
                                                                                                                        0, NULL, NULL, 0));
    MUST(CALL(cudaLibraryGetKernel, (cudaKernel_t *, cudaLibrary_t, const char *))(&found, library, "work"));
    return found;
}

static void launch(void)
{
    const void *function = work();
    dim3 grid = {64, 1, 1}, block = {64, 1, 1};
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(CALL(cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))(function, grid, block, parameters, 0, NULL));
        MUST(CALL(cudaDeviceSynchronize, (void))());
    }
}

static void extended(void)
{
    const void *function = work();
    cudaLaunchConfig_t config = {.gridDim = {64, 1, 1}, .blockDim = {64, 1, 1}};
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(CALL(cudaLaunchKernelExC, (const cudaLaunchConfig_t *, const void *, void **))(&config, function, parameters));
        MUST(CALL(cudaDeviceSynchronize, (void))());
    }
}

static void cooperative(void)
{
    const void *function = work();
    dim3 grid = {4, 1, 1}, block = {64, 1, 1};
    rounds = 10 * ROUNDS;
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(CALL(cudaLaunchCooperativeKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))(function, grid, block, parameters, 0,
                                                                                                              NULL));
        MUST(CALL(cudaDeviceSynchronize, (void))());
    }
}

static void *memory(size_t bytes)
{
    void *pointer;
    MUST(CALL(cudaMalloc, (void **, size_t))(&pointer, bytes));
    return pointer;
}

static cudaStream_t stream(void)
{
    cudaStream_t made;
    MUST(CALL(cudaStreamCreateWithFlags, (cudaStream_t *, unsigned))(&made, 1));
    return made;
}

static void copies(void)
{
    void *from = memory(COPY), *to = memory(COPY);
    cudaStream_t in = stream();
    while (!stopped()) {
        for (int i = 0; i < 8; i++)
            MUST(CALL(cudaMemcpyAsync, (void *, const void *, size_t, int, cudaStream_t))(to, from, COPY, cudaMemcpyDeviceToDevice, in));
        MUST(CALL(cudaStreamSynchronize, (cudaStream_t))(in));
    }
}

static void fills(void)
{
    void *to = memory(COPY);
    cudaStream_t in = stream();
    while (!stopped()) {
        for (int i = 0; i < 8; i++)
            MUST(CALL(cudaMemsetAsync, (void *, int, size_t, cudaStream_t))(to, i, COPY, in));
        MUST(CALL(cudaStreamSynchronize, (cudaStream_t))(in));
    }
}

static void nothing(void *unused)
{
    (void)unused;
}

static void host_functions(void)
{
    const void *function = work();
    dim3 grid = {64, 1, 1}, block = {64, 1, 1};
    cudaStream_t in = stream();
    while (!stopped()) {
        for (int i = 0; i < 4; i++) {
            MUST(CALL(cudaLaunchHostFunc, (cudaStream_t, cudaHostFn_t, void *))(in, nothing, NULL));
            MUST(CALL(cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))(function, grid, block, parameters, 0, in));
        }
        MUST(CALL(cudaStreamSynchronize, (cudaStream_t))(in));
    }
}

const struct way runtime_compute_ways[] = {
    {.name = "cudaLaunchKernel", .kind = COMPUTE, .work = launch, .calls = "cudaLaunchKernel __cudaLaunchKernel"},
    {.name = "cudaLaunchKernelExC", .kind = COMPUTE, .work = extended, .calls = "cudaLaunchKernelExC"},
    {.name = "cudaLaunchCooperativeKernel", .kind = COMPUTE, .work = cooperative, .calls = "cudaLaunchCooperativeKernel"},
    {.name = "cudaMemcpyAsync",
     .kind = COMPUTE,
     .work = copies,
     .calls =
         "cudaMemcpy cudaMemcpyAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpy3D cudaMemcpy3DAsync cudaMemcpy3DPeer cudaMemcpy3DPeerAsync cudaMemcpyBatchAsync cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbol cudaMemcpyFromSymbolAsync cudaMemcpy2DArrayToArray cudaMemcpy2DFromArray cudaMemcpy2DFromArrayAsync cudaMemcpy2DToArray cudaMemcpy2DToArrayAsync cudaMemcpyArrayToArray cudaMemcpyFromArray cudaMemcpyFromArrayAsync cudaMemcpyToArray cudaMemcpyToArrayAsync"},
    {.name = "cudaMemsetAsync",
     .kind = COMPUTE,
     .work = fills,
     .calls = "cudaMemset cudaMemsetAsync cudaMemset2D cudaMemset2DAsync cudaMemset3D cudaMemset3DAsync"},
    {.name = "cudaLaunchHostFunc",
     .kind = COMPUTE,
     .work = host_functions,
     .calls =
         "cudaLaunchHostFunc cudaStreamAddCallback cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority cudaStreamSetAttribute cudaStreamCopyAttributes"},
    {.name = NULL},
};
