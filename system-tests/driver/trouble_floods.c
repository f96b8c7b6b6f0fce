/* Too much of everything: trouble_floods <what> [how much]. Prints the result of the last call that may fail,
 * and a number that says how far it came. Not a test by itself. */
/* role: helper */
#include <time.h>
#include <unistd.h>

#include "check.h"

PTX(trouble, "trouble.ptx");

static CUmodule module;
static long much;

static CUresult done(CUresult code, long count)
{
    printf("%d %ld\n", (int)code, count);
    fflush(stdout);
    return code;
}

static double milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static CUresult launches(void)
{
    CUfunction empty = kernel(module, "empty");
    for (long i = 0; i < much; i++)
        CHECK(LAUNCH(empty, 1, 1, 0, NULL, NULL));
    return done(cuCtxSynchronize(), much);
}

/* Posts all kinds of commands to many streams for that many milliseconds, never waits, and goes. */
static CUresult ring(void)
{
    CUfunction empty = kernel(module, "empty");
    CUdeviceptr memory = allocate(1 << 20);
    CUstream streams[32];
    CUevent event;
    char data[512] = {1};
    CHECK(cuEventCreate(&event, 0));
    for (int i = 0; i < 32; i++)
        CHECK(cuStreamCreate(&streams[i], i % 2 == 0 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
    double end = milliseconds() + (double)much;
    long count = 0;
    for (; milliseconds() < end; count++) {
        CUstream stream = streams[count % 32];
        CHECK(LAUNCH(empty, 1, 1, 0, stream, NULL));
        CHECK(cuMemsetD8Async(memory, 1, 4096, stream));
        CHECK(cuMemcpyHtoDAsync(memory, data, sizeof data, stream));
        CHECK(cuEventRecord(event, stream));
        CHECK(cuStreamWaitEvent(streams[(count + 7) % 32], event, 0));
    }
    done(CUDA_SUCCESS, count);
    _exit(0);
}

static CUresult allocate_and_free(void)
{
    for (long i = 0; i < much; i++) {
        CUdeviceptr memory;
        CHECK(cuMemAlloc(&memory, (size_t)(1 + i % 64) << 16));
        CHECK(cuMemsetD8(memory, 0x5a, 64));
        CHECK(cuMemFree(memory));
    }
    return done(CUDA_SUCCESS, much);
}

static CUresult allocate_all(void)
{
    enum { MOST = 4096 };
    static CUdeviceptr memory[MOST];
    CUresult code = CUDA_SUCCESS;
    for (long round = 0; round < much; round++) {
        int count = 0;
        while (count < MOST && (code = cuMemAlloc(&memory[count], 1 << 20)) == CUDA_SUCCESS)
            count++;
        for (int again = 0; again < 10; again++)
            EXPECT(cuMemAlloc(&memory[count], 1 << 20), CUDA_ERROR_OUT_OF_MEMORY);
        while (count > 0)
            CHECK(cuMemFree(memory[--count]));
    }
    return done(code, much);
}

static CUresult streams_and_events(void)
{
    CUstream *streams = calloc((size_t)much, sizeof *streams);
    CUevent *events = calloc((size_t)much, sizeof *events);
    CUfunction empty = kernel(module, "empty");
    for (long i = 0; i < much; i++) {
        CHECK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
        CHECK(cuEventCreate(&events[i], 0));
        CHECK(LAUNCH(empty, 1, 1, 0, streams[i], NULL));
        CHECK(cuEventRecord(events[i], streams[i]));
    }
    return done(cuCtxSynchronize(), much);
}

/* A kernel of many instructions; each number makes another text. */
static char *text_of(int number, long instructions)
{
    char *text = malloc(256 + (size_t)instructions * 64), *at = text;
    at += sprintf(at,
                  ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k%d(.param .u64 p)\n{\n"
                  ".reg .u32 %%r<4>;\n.reg .u64 %%rd<2>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %d;\n",
                  number, number);
    for (long i = 0; i < instructions; i++)
        at += sprintf(at, "mad.lo.u32 %%r1, %%r1, %ld, %d;\n", i % 1000 + 3, number);
    sprintf(at, "st.global.u32 [%%rd1], %%r1;\nret;\n}\n");
    return text;
}

static CUresult many_modules(void)
{
    CUdeviceptr memory = allocate(256);
    for (int i = 0; i < much; i++) {
        CUmodule more;
        char name[16], *text = text_of(i, 50);
        snprintf(name, sizeof name, "k%d", i);
        CHECK(cuModuleLoadData(&more, text));
        CHECK(LAUNCH(kernel(more, name), 1, 32, 0, NULL, &memory));
        free(text);
        if (i % 3 == 0)
            CHECK(cuModuleUnload(more));
    }
    return done(cuCtxSynchronize(), much);
}

static CUresult huge_module(void)
{
    CUdeviceptr memory = allocate(256);
    CUmodule more;
    char *text = text_of(1, much);
    CUresult code = cuModuleLoadData(&more, text);
    if (code == CUDA_SUCCESS) {
        code = LAUNCH(kernel(more, "k1"), 1, 32, 0, NULL, &memory);
        if (code == CUDA_SUCCESS)
            code = cuCtxSynchronize();
    }
    return done(code, (long)strlen(text));
}

static CUresult bad_modules(void)
{
    CUresult code = CUDA_SUCCESS;
    CUmodule more;
    for (long i = 0; i < much; i++) {
        char *text = text_of((int)i, 20);
        memcpy(strstr(text, "mad.lo"), "mad,,@", 6);
        code = cuModuleLoadData(&more, text);
        free(text);
        REQUIRE(code == CUDA_ERROR_INVALID_PTX, "a module of nonsense: %d", (int)code);
    }
    return done(code, much);
}

static const struct {
    const char *name;
    CUresult (*run)(void);
    long much;
} TABLE[] = {
    {"launches", launches, 1000000},
    {"ring", ring, 2000},
    {"allocate-free", allocate_and_free, 100000},
    {"allocate-all", allocate_all, 40},
    {"streams-events", streams_and_events, 8000},
    {"many-modules", many_modules, 400},
    {"huge-module", huge_module, 200000},
    {"bad-modules", bad_modules, 1000},
};

int main(int argc, char **argv)
{
    open_device();
    CHECK(cuModuleLoadData(&module, trouble));
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (argc > 1 && strcmp(argv[1], TABLE[i].name) == 0) {
            much = argc > 2 ? atol(argv[2]) : TABLE[i].much;
            TABLE[i].run();
            return 0;
        }
    fprintf(stderr, "no flood '%s'\n", argc > 1 ? argv[1] : "");
    return 2;
}
