/* Work, in all ways that the driver API has to ask for it. */
#include <pthread.h>
#include <unistd.h>

#include "escape.h"

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                             CUstream stream, void **parameters, void **extra);
CUresult cuStreamSynchronize_ptsz(CUstream stream);

enum { STREAMS = 16, CONTEXTS = 4, THREADS = 4, ROUNDS = 20000 };
#define COPY ((size_t)16 << 20)

static uint64_t rounds = ROUNDS;
static CUdeviceptr nowhere;
static void *parameters[] = {&rounds, &nowhere};

static void launch_on(CUfunction work, CUstream stream)
{
    MUST(cuLaunchKernel(work, 64, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
}

/* Some at a time, so that there is always something to do, and an end. */
static void plain(void)
{
    CUfunction work = kernel("work");
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            launch_on(work, NULL);
        MUST(cuCtxSynchronize());
    }
}

static void extended(void)
{
    CUfunction work = kernel("work");
    CUlaunchConfig config;
    memset(&config, 0, sizeof config);
    config.gridDimX = 64;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 64;
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(cuLaunchKernelEx(&config, work, parameters, NULL));
        MUST(cuCtxSynchronize());
    }
}

/* As before CUDA 4. */
static void old_launches(void)
{
    CUfunction work = kernel("work");
    MUST(cuFuncSetBlockShape(work, 64, 1, 1));
    MUST(cuParamSetSize(work, 16));
    MUST(cuParamSetv(work, 0, &rounds, 8));
    MUST(cuParamSetv(work, 8, &nowhere, 8));
    while (!stopped()) {
        MUST(cuLaunchGrid(work, 64, 1));
        MUST(cuLaunchGridAsync(work, 8, 8, NULL));
        MUST(cuLaunch(work));
        MUST(cuCtxSynchronize());
    }
}

static void cooperative(void)
{
    CUfunction work = kernel("work");
    int processors, blocks;
    MUST(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 64, 0));
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(cuLaunchCooperativeKernel(work, (unsigned)(processors * blocks), 1, 1, 64, 1, 1, 0, NULL, parameters));
        MUST(cuCtxSynchronize());
    }
}

static void on_many_devices(void)
{
    CUfunction work = kernel("work");
    CUDA_LAUNCH_PARAMS list = {work, 1, 1, 1, 64, 1, 1, 0, NULL, parameters};
    MUST(cuStreamCreate(&list.hStream, CU_STREAM_NON_BLOCKING));
    while (!stopped()) {
        for (int i = 0; i < 64; i++)
            MUST(cuLaunchCooperativeKernelMultiDevice(&list, 1, 0));
        MUST(cuCtxSynchronize());
    }
}

/* The host asks once, and the tree below grows as it is let. */
static void nested(void)
{
    CUfunction bomb = nested_bomb();
    MUST(cuLaunchKernel(bomb, 64, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    while (!stopped())
        usleep(1000);
    _exit(0);
}

static void per_thread(void)
{
    CUfunction work = kernel("work");
    while (!stopped()) {
        for (int i = 0; i < 4; i++)
            MUST(cuLaunchKernel_ptsz(work, 64, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
        MUST(cuStreamSynchronize_ptsz(NULL));
    }
}

static void on_streams(const CUstream *streams)
{
    CUfunction work = kernel("work");
    while (!stopped()) {
        for (int i = 0; i < STREAMS; i++)
            launch_on(work, streams[i]);
        MUST(cuCtxSynchronize());
    }
}

static void streams(void)
{
    CUstream all[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        MUST(cuStreamCreate(&all[i], CU_STREAM_NON_BLOCKING));
    on_streams(all);
}

static void priorities(void)
{
    CUstream all[STREAMS];
    int least, greatest;
    MUST(cuCtxGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < STREAMS; i++)
        MUST(cuStreamCreateWithPriority(&all[i], CU_STREAM_NON_BLOCKING, greatest));
    on_streams(all);
}

static void contexts(void)
{
    CUcontext all[CONTEXTS];
    CUfunction work[CONTEXTS];
    for (int i = 0; i < CONTEXTS; i++) {
        MUST(cuCtxCreate_v2(&all[i], 0, 0));
        work[i] = kernel("work");
    }
    while (!stopped()) {
        for (int i = 0; i < CONTEXTS; i++) {
            MUST(cuCtxSetCurrent(all[i]));
            launch_on(work[i], NULL);
        }
        for (int i = 0; i < CONTEXTS; i++) {
            MUST(cuCtxSetCurrent(all[i]));
            MUST(cuCtxSynchronize());
        }
    }
}

/* More blocks than end in the time: the last launch is left alone. */
static void huge_grid(void)
{
    CUfunction work = kernel("work");
    MUST(cuLaunchKernel(work, 1u << 30, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
    while (!stopped())
        usleep(1000);
    _exit(0);
}

static void endless(void)
{
    int *stop;
    MUST(cuMemHostAlloc((void **)&stop, sizeof *stop, CU_MEMHOSTALLOC_DEVICEMAP));
    *stop = 0;
    MUST(cuLaunchKernel(kernel("until"), 8, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&stop}, NULL));
    while (!stopped())
        usleep(1000);
    *(volatile int *)stop = 1;
    MUST(cuCtxSynchronize());
}

static void tiny(void)
{
    CUfunction nothing = kernel("nothing");
    while (!stopped()) {
        for (int i = 0; i < 1000; i++)
            MUST(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
        MUST(cuCtxSynchronize());
    }
}

static void copies(void)
{
    CUdeviceptr from, to;
    CUstream stream;
    MUST(cuMemAlloc(&from, COPY));
    MUST(cuMemAlloc(&to, COPY));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    while (!stopped()) {
        for (int i = 0; i < 8; i++)
            MUST(cuMemcpyDtoDAsync(to, from, COPY, stream));
        MUST(cuStreamSynchronize(stream));
    }
}

static void fills(void)
{
    CUdeviceptr to;
    CUstream stream;
    MUST(cuMemAlloc(&to, COPY));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    while (!stopped()) {
        for (int i = 0; i < 8; i++)
            MUST(cuMemsetD32Async(to, (unsigned)i, COPY / 4, stream));
        MUST(cuStreamSynchronize(stream));
    }
}

static void count_down(void *count)
{
    __atomic_fetch_sub((int *)count, 1, __ATOMIC_SEQ_CST);
}

/* Launches that wait for the program's own functions, on several streams. */
static void host_functions(void)
{
    CUfunction work = kernel("work");
    CUstream all[4];
    int due = 0;
    for (int i = 0; i < 4; i++)
        MUST(cuStreamCreate(&all[i], CU_STREAM_NON_BLOCKING));
    while (!stopped()) {
        for (int i = 0; i < 4; i++) {
            __atomic_fetch_add(&due, 1, __ATOMIC_SEQ_CST);
            MUST(cuLaunchHostFunc(all[i], count_down, &due));
            launch_on(work, all[i]);
        }
        MUST(cuCtxSynchronize());
    }
}

static CUcontext shared;

static void *thread_works(void *unused)
{
    MUST(cuCtxSetCurrent(shared));
    per_thread();
    return unused;
}

static void threads(void)
{
    pthread_t all[THREADS];
    MUST(cuCtxGetCurrent(&shared));
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&all[i], NULL, thread_works, NULL));
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
}

/* Loading code is work too: the host compiles it. */
static void modules(void)
{
    CUfunction work = kernel("work");
    while (!stopped()) {
        CUmodule module;
        MUST(cuModuleLoadData(&module, kernels));
        launch_on(work, NULL);
        launch_on(work, NULL);
        MUST(cuModuleUnload(module));
        MUST(cuCtxSynchronize());
    }
}

const struct way compute_ways[] = {
    {.name = "launch", .kind = COMPUTE, .work = plain, .calls = "cuLaunchKernel"},
    {.name = "launch-extended", .kind = COMPUTE, .work = extended, .calls = "cuLaunchKernelEx"},
    {.name = "launch-old", .kind = COMPUTE, .work = old_launches, .calls = "cuLaunch cuLaunchGrid cuLaunchGridAsync"},
    {.name = "launch-cooperative", .kind = COMPUTE, .work = cooperative, .calls = "cuLaunchCooperativeKernel"},
    {.name = "launch-on-many-devices", .kind = COMPUTE, .work = on_many_devices, .calls = "cuLaunchCooperativeKernelMultiDevice"},
    {.name = "launch-nested", .kind = COMPUTE, .work = nested, .calls = "cuLaunchKernel"},
    {.name = "launch-per-thread", .kind = COMPUTE, .work = per_thread, .calls = "cuLaunchKernel"},
    {.name = "launch-streams", .kind = COMPUTE, .work = streams, .calls = "cuStreamCreate"},
    {.name = "launch-priorities",
     .kind = COMPUTE,
     .work = priorities,
     .calls = "cuStreamCreateWithPriority cuStreamSetAttribute cuStreamCopyAttributes"},
    {.name = "launch-contexts", .kind = COMPUTE, .work = contexts, .calls = "cuCtxCreate_v2"},
    {.name = "launch-threads", .kind = COMPUTE, .work = threads, .calls = "cuLaunchKernel"},
    {.name = "launch-huge", .kind = COMPUTE, .work = huge_grid, .calls = "cuLaunchKernel"},
    {.name = "launch-endless", .kind = COMPUTE, .work = endless, .calls = "cuLaunchKernel"},
    {.name = "launch-tiny", .kind = COMPUTE, .work = tiny, .calls = "cuLaunchKernel"},
    {.name = "copies",
     .kind = COMPUTE,
     .work = copies,
     .calls =
         "cuMemcpy cuMemcpyPeer cuMemcpyHtoD_v2 cuMemcpyDtoH_v2 cuMemcpyDtoD_v2 cuMemcpy2D_v2 cuMemcpy2DUnaligned_v2 cuMemcpy3D_v2 cuMemcpy3DPeer cuMemcpyAsync cuMemcpyPeerAsync cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoDAsync_v2 cuMemcpy2DAsync_v2 cuMemcpy3DAsync_v2 cuMemcpy3DPeerAsync cuMemcpyDtoA_v2 cuMemcpyAtoD_v2 cuMemcpyHtoA_v2 cuMemcpyAtoH_v2 cuMemcpyAtoA_v2 cuMemcpyHtoAAsync_v2 cuMemcpyAtoHAsync_v2"},
    {.name = "fills",
     .kind = COMPUTE,
     .work = fills,
     .calls =
         "cuMemsetD8_v2 cuMemsetD16_v2 cuMemsetD32_v2 cuMemsetD2D8_v2 cuMemsetD2D16_v2 cuMemsetD2D32_v2 cuMemsetD8Async cuMemsetD16Async cuMemsetD32Async cuMemsetD2D8Async cuMemsetD2D16Async cuMemsetD2D32Async"},
    {.name = "host-functions", .kind = COMPUTE, .work = host_functions, .calls = "cuLaunchHostFunc cuStreamAddCallback"},
    {.name = "launch-modules", .kind = COMPUTE, .work = modules, .calls = "cuModuleLoadData"},
    {.name = NULL},
};
