/* Memory that the daemon has for kernels, and that no call allocates. */
#include <time.h>
#include <unistd.h>

#include "escape.h"

enum {
    THREADS = 8,
    PER_THREAD = 512 << 10,
    STRIDE = 256,
    MOST = 64,
    PATIENCE = 60 /* seconds */,
    FULL = 2 /* seconds */,
    PAUSE = 1000 /* microseconds */
};
enum order { HOLD, LOOK, END };

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

/* Of the kernels that hold memory, where that is not the program's usual one. */
static CUcontext apart;

/* Pinned: kernels that do not end look at it. */
static struct {
    volatile int order;
    volatile unsigned begun, good;
} *desk;

static bool reaches(const volatile unsigned *count, unsigned wanted)
{
    time_t end = time(NULL) + PATIENCE, room = time(NULL);
    while (*count < wanted && time(NULL) <= end && time(NULL) <= room + FULL) {
        size_t available, total;
        MUST(cuMemGetInfo(&available, &total));
        if (available >= THREADS * PER_THREAD) /* else a kernel waits for others that do not end */
            room = time(NULL);
        usleep(PAUSE);
    }
    return *count >= wanted;
}

static size_t kept(void)
{
    unsigned all = desk->begun * (PER_THREAD / STRIDE);
    desk->order = LOOK;
    for (time_t end = time(NULL) + PATIENCE; desk->good < all && time(NULL) <= end;)
        usleep(PAUSE);
    return (size_t)desk->good * STRIDE;
}

static void give(void)
{
    desk->order = END;
    if (apart != NULL)
        cuCtxDestroy(apart); /* it may have failed, for want of memory */
}

/* The same kernel, launched by a kernel. Where there is no memory its context fails, so that is one of its own; where the
 * kernels have no heap there is no buffer for its arguments. */
static CUfunction nested(void)
{
    char *text;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (file == NULL)
        must(-1, "no memory for a text");
    fprintf(file,
            "%s\n"
            ".extern .func (.param .b64 b) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 t[12],\n"
            ".param .b32 s);\n"
            ".extern .func (.param .b32 e) __cudaCDP2LaunchDeviceV2(.param .b64 b, .param .b64 s);\n"
            ".visible .entry nest(.param .u64 state, .param .u64 begun, .param .u64 good, .param .u64 first) {\n"
            ".reg .pred %%p; .reg .b64 %%rd<8>; mov.u64 %%rd1, hold_local;\n"
            "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 t[12]; .param .b32 s; .param .b64 b;\n"
            "st.param.b64 [f], %%rd1; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
            "st.param.b32 [t], %d; st.param.b32 [t+4], 1; st.param.b32 [t+8], 1; st.param.b32 [s], 0;\n"
            "call (b), __cudaCDP2GetParameterBufferV2, (f, g, t, s); ld.param.b64 %%rd2, [b]; }\n"
            "setp.eq.u64 %%p, %%rd2, 0; @%%p ret;\n"
            "ld.param.u64 %%rd3, [state]; ld.param.u64 %%rd4, [begun]; ld.param.u64 %%rd5, [good]; ld.param.u64 %%rd6, [first];\n"
            "st.u64 [%%rd2], %%rd3; st.u64 [%%rd2+8], %%rd4; st.u64 [%%rd2+16], %%rd5; st.u64 [%%rd2+24], %%rd6;\n"
            "{ .param .b64 b; .param .b64 s; .param .b32 e; st.param.b64 [b], %%rd2; st.param.b64 [s], 4;\n"
            "call (e), __cudaCDP2LaunchDeviceV2, (b, s); }\nret; }\n",
            kernels, THREADS);
    fclose(file);
    return load_text(text, "nest");
}

/* Local memory of kernels that run side by side and do not end. One that does not begin has none. */
static int hold(CUfunction function, unsigned threads, size_t want)
{
    CUdeviceptr address;
    MUST(cuMemHostAlloc((void **)&desk, sizeof *desk, CU_MEMHOSTALLOC_DEVICEMAP));
    memset((void *)desk, 0, sizeof *desk);
    MUST(cuMemHostGetDevicePointer(&address, desk, 0));
    CUdeviceptr begun = address + offsetof(__typeof__(*desk), begun), good = address + offsetof(__typeof__(*desk), good);
    other_kept = kept;
    other_give = give;
    for (unsigned i = 1; other_held < want && i <= MOST; i++) {
        CUstream stream;
        uint64_t first = (uint64_t)getpid() << 32 | i << 16;
        if (apart != NULL)
            MUST(cuCtxPushCurrent(apart));
        int result = cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
        if (result == CUDA_SUCCESS)
            result = cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, (void *[]){&address, &begun, &good, &first}, NULL);
        if (apart != NULL)
            MUST(cuCtxPopCurrent(NULL));
        if (result != CUDA_SUCCESS)
            return result;
        if (!reaches(&desk->begun, i * THREADS))
            return CUDA_ERROR_OUT_OF_MEMORY;
        other_held += THREADS * PER_THREAD;
    }
    return CUDA_SUCCESS;
}

static int local_memory(size_t want)
{
    return hold(kernel("hold_local"), THREADS, want);
}

static int nested_memory(size_t want)
{
    MUST(cuCtxCreate_v2(&apart, 0, 0));
    CUfunction function = nested();
    MUST(cuCtxPopCurrent(NULL));
    return hold(function, 1, want);
}

const struct way daemon_ways[] = {
    {.name = "local-memory", .kind = DAEMON, .take = local_memory, .calls = "cuLaunchKernel cuStreamCreate cuMemGetInfo_v2"},
    {.name = "local-memory-nested", .kind = DAEMON, .take = nested_memory, .calls = "cuLaunchKernel cuStreamCreate cuMemGetInfo_v2"},
    {.name = NULL},
};
