/* Kernels that do not end, or that use what nobody counts. */
#include "attack.h"
#include <stdlib.h>
#include <unistd.h>

/* Without a loop: each function calls the one before it twice. */
void call_tree(void)
{
    enum { DEPTH = 60 };
    char *text;
    FILE *file = begin_text(&text);
    fputs(".func f0() { .reg .b32 %r<2>; mov.u32 %r1, %clock; ret; }\n", file);
    for (int i = 1; i < DEPTH; i++)
        fprintf(file, ".func f%d() { call f%d; call f%d; ret; }\n", i, i - 1, i - 1);
    fprintf(file, ".visible .entry attack() { call f%d; ret; }\n", DEPTH - 1);
    fclose(file);
    open_device();
    CUfunction function = load(text, "attack");
    launch(function, 64, 1, NULL, NULL);
    under_way();
    cuCtxSynchronize();
}

static CUfunction load_endless(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".visible .entry attack() { .reg .b32 %r<2>; mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1; bra AGAIN; }\n", file);
    fclose(file);
    return load(text, "attack");
}

void endless(void)
{
    open_device();
    launch(load_endless(), 64, 32, NULL, NULL);
    under_way();
    cuCtxSynchronize();
}

void many_streams(void)
{
    enum { STREAMS = 6000 };
    open_device();
    CUfunction function = load_endless();
    for (int i = 0; i < STREAMS; i++) {
        CUstream stream;
        CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        launch(function, 1, 1, stream, NULL);
        if (i == 100)
            under_way();
    }
    cuCtxSynchronize();
}

void long_strings(void)
{
    const size_t bytes = 400u << 20;
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);\n"
        ".global .align 1 .b8 format[4] = {37, 115, 10, 0};\n"
        ".visible .entry attack(.param .u64 string) {\n"
        ".local .align 8 .b8 values[8]; .reg .b64 %rd<6>; .reg .b32 %r<2>;\n"
        "ld.param.u64 %rd1, [string]; mov.u64 %rd2, values; st.local.u64 [%rd2], %rd1;\n"
        "cvta.local.u64 %rd3, %rd2; mov.u64 %rd4, format; cvta.global.u64 %rd5, %rd4;\n"
        "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd5; st.param.b64 [b], %rd3;\n"
        "call (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }\nret; }\n";
    CUdeviceptr string;
    /* What is printed goes where nobody reads it. */
    under_way();
    if (freopen("/dev/null", "w", stdout) == NULL)
        exit(1);
    open_device();
    CUfunction function = load(text, "attack");
    CHECK(cuMemAlloc(&string, bytes));
    CHECK(cuMemsetD8(string, 'a', bytes - 1));
    void *arguments[] = {&string};
    for (;;) {
        launch(function, 2, 1, NULL, arguments);
        CHECK(cuCtxSynchronize());
    }
}

void local_memory(void)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry attack() {\n"
        ".local .align 8 .b8 much[524288]; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
        "mov.u64 %rd1, much; add.u64 %rd2, %rd1, 524288;\n"
        "AGAIN: st.local.u64 [%rd1], %rd1; add.u64 %rd1, %rd1, 4096;\n"
        "setp.lt.u64 %p1, %rd1, %rd2; @%p1 bra AGAIN; ret; }\n";
    open_device();
    CUfunction function = load(text, "attack");
    under_way();
    for (;;) {
        launch(function, 2, 512, NULL, NULL);
        CHECK(cuCtxSynchronize());
    }
}

void many_launches(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".visible .entry attack() { ret; }\n", file);
    fclose(file);
    open_device();
    CUfunction function = load(text, "attack");
    under_way();
    for (;;)
        launch(function, 1, 1, NULL, NULL);
}

void copies(void)
{
    const size_t bytes = 64u << 20;
    CUdeviceptr one, other;
    char *host = malloc(bytes);
    open_device();
    CHECK(cuMemAlloc(&one, bytes));
    CHECK(cuMemAlloc(&other, bytes));
    under_way();
    for (;;) {
        CHECK(cuMemcpyHtoD(one, host, bytes));
        CHECK(cuMemcpyDtoD(other, one, bytes));
        CHECK(cuMemcpyDtoH(host, other, bytes));
    }
}
