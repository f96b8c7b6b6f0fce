/* Work that does not end by itself. Who asked for it is killed: then it has to be gone, and its threads with it. */
#include <unistd.h>

#include "escape.h"

#define MIB ((size_t)1 << 20)
enum { BLOCKS = 64, BLOCK = 32, DEPTH = 60, STREAMS = 6000, COPIES = 1 << 20 };

static void launch(CUfunction function, unsigned blocks, unsigned threads, CUstream stream, void **parameters)
{
    MUST(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, NULL));
}

static void stay(void)
{
    while (!stopped())
        usleep(1000);
    _exit(0);
}

static CUfunction spin(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".visible .entry spin() { .reg .b32 %r<2>; mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1; bra AGAIN; }\n", file);
    fclose(file);
    return load_text(text, "spin");
}

static void one_kernel(void)
{
    launch(spin(), BLOCKS, BLOCK, NULL, NULL);
    stay();
}

/* Each round ends; all of them do not. */
static void barriers(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".visible .entry spin() {\nAGAIN: bar.sync 0; bra AGAIN; }\n", file);
    fclose(file);
    launch(load_text(text, "spin"), BLOCKS, BLOCK, NULL, NULL);
    stay();
}

/* Without a loop: each function calls the one before it twice. */
static void calls(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".func f0() { .reg .b32 %r<2>; mov.u32 %r1, %clock; ret; }\n", file);
    for (int i = 1; i < DEPTH; i++)
        fprintf(file, ".func f%d() { call f%d; call f%d; ret; }\n", i, i - 1, i - 1);
    fprintf(file, ".visible .entry tree() { call f%d; ret; }\n", DEPTH - 1);
    fclose(file);
    launch(load_text(text, "tree"), BLOCKS, 1, NULL, NULL);
    stay();
}

/* Each thread launches three grids of itself: below it, beside it and behind it. */
CUfunction nested_bomb(void)
{
    static const char *const streams[] = {"0", "4", "3"}; /* the block's own, fire and forget, tail launch */
    char *text;
    FILE *file = begin_text(&text);
    fputs(
        ".extern .func (.param .b64 b) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 t[12],\n"
        ".param .b32 s);\n"
        ".extern .func (.param .b32 e) __cudaCDP2LaunchDeviceV2(.param .b64 b, .param .b64 s);\n"
        ".visible .entry bomb() { .reg .b64 %rd<3>; mov.u64 %rd1, bomb;\n",
        file);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        fprintf(file,
                "{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 t[12]; .param .b32 s; .param .b64 b;\n"
                "st.param.b64 [f], %%rd1; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
                "st.param.b32 [t], 32; st.param.b32 [t+4], 1; st.param.b32 [t+8], 1; st.param.b32 [s], 0;\n"
                "call (b), __cudaCDP2GetParameterBufferV2, (f, g, t, s); ld.param.b64 %%rd2, [b]; }\n"
                "{ .param .b64 b; .param .b64 s; .param .b32 e; st.param.b64 [b], %%rd2; st.param.b64 [s], %s;\n"
                "call (e), __cudaCDP2LaunchDeviceV2, (b, s); }\n",
                streams[i]);
    }
    fputs("ret; }\n", file);
    fclose(file);
    return load_text(text, "bomb");
}

static void nested(void)
{
    launch(nested_bomb(), BLOCKS, BLOCK, NULL, NULL);
    stay();
}

/* The blocks of a cluster write to each other and meet, again and again. */
static void clusters(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(
        ".visible .entry spin() .reqnctapercluster 4 { .shared .align 4 .b32 cell; .reg .b32 %r<4>;\n"
        "mov.u32 %r1, cell; mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2;\n"
        "AGAIN: st.shared::cluster.u32 [%r3], %r2; barrier.cluster.arrive; barrier.cluster.wait; bra AGAIN; }\n",
        file);
    fclose(file);
    launch(load_text(text, "spin"), BLOCKS, BLOCK, NULL, NULL);
    stay();
}

/* One block of each cluster never comes to where the others wait. */
static void cluster_waits(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(
        ".visible .entry spin() .reqnctapercluster 4 { .reg .pred %p; .reg .b32 %r<3>;\n"
        "mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %p, %r1, 0; @%p bra WAIT; mov.u32 %r2, 0;\n"
        "AGAIN: add.u32 %r2, %r2, 1; bra AGAIN;\n"
        "WAIT: barrier.cluster.arrive; barrier.cluster.wait; ret; }\n",
        file);
    fclose(file);
    launch(load_text(text, "spin"), BLOCKS, BLOCK, NULL, NULL);
    stay();
}

/* More than there can be threads for. */
static void streams(void)
{
    CUfunction function = spin();
    for (int i = 0; i < STREAMS && !stopped(); i++) {
        CUstream stream;
        MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        launch(function, 1, 1, stream, NULL);
    }
    stay();
}

/* A string that has to be read to its end, again and again. */
static void strings(void)
{
    const size_t bytes = 256 * MIB;
    char *text;
    CUdeviceptr string;
    FILE *file = begin_text(&text);
    fputs(
        ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);\n"
        ".global .align 1 .b8 format[4] = {37, 115, 10, 0};\n"
        ".visible .entry print(.param .u64 string) {\n"
        ".local .align 8 .b8 values[8]; .reg .b64 %rd<6>; .reg .b32 %r<2>;\n"
        "ld.param.u64 %rd1, [string]; mov.u64 %rd2, values; st.local.u64 [%rd2], %rd1;\n"
        "cvta.local.u64 %rd3, %rd2; mov.u64 %rd4, format; cvta.global.u64 %rd5, %rd4;\n"
        "AGAIN: { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd5; st.param.b64 [b], %rd3;\n"
        "call (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }\nbra AGAIN; }\n",
        file);
    fclose(file);
    /* What is printed goes where nobody reads it. */
    if (freopen("/dev/null", "w", stdout) == NULL)
        _exit(1);
    CUfunction function = load_text(text, "print");
    MUST(cuMemAlloc(&string, bytes));
    MUST(cuMemsetD8(string, 'a', bytes - 1));
    launch(function, 2, 1, NULL, (void *[]){&string});
    stay();
}

/* As many as there is room for, each of some hundredths of a second. */
static void copies(void)
{
    const size_t bytes = 128 * MIB;
    CUdeviceptr from, to;
    MUST(cuMemAlloc(&from, bytes));
    MUST(cuMemAlloc(&to, bytes));
    for (int i = 0; i < COPIES && !stopped(); i++)
        MUST(cuMemcpyDtoDAsync(to, from, bytes, NULL));
    stay();
}

const struct way endless_ways[] = {
    {.name = "endless-kernel", .kind = ENDLESS, .work = one_kernel, .calls = "cuLaunchKernel"},
    {.name = "endless-barriers", .kind = ENDLESS, .work = barriers, .calls = "cuLaunchKernel"},
    {.name = "endless-calls", .kind = ENDLESS, .work = calls, .calls = "cuLaunchKernel"},
    {.name = "endless-nested", .kind = ENDLESS, .work = nested, .calls = "cuLaunchKernel"},
    {.name = "endless-clusters", .kind = ENDLESS, .work = clusters, .calls = "cuLaunchKernel"},
    {.name = "endless-cluster-waits", .kind = ENDLESS, .work = cluster_waits, .calls = "cuLaunchKernel"},
    {.name = "endless-streams", .kind = ENDLESS, .work = streams, .calls = "cuStreamCreate cuLaunchKernel"},
    {.name = "endless-strings", .kind = ENDLESS, .work = strings, .calls = "cuLaunchKernel"},
    {.name = "endless-copies", .kind = ENDLESS, .work = copies, .calls = "cuMemcpyDtoDAsync_v2"},
    {.name = NULL},
};
