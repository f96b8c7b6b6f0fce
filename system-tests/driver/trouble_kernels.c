/* Kernels that do what they must not: trouble_kernels <what> [address of somebody else]. Prints the result of
 * waiting for it, then that of the next call. Not a test by itself. */
/* role: helper */
#include <unistd.h>

#include "check.h"

PTX(trouble, "trouble.ptx");

static CUmodule module;
static CUdeviceptr mine;
static const char *other = "0";

static CUresult store(CUdeviceptr address)
{
    unsigned value = 0xbadbad01u;
    return LAUNCH(kernel(module, "store_at"), 4, 32, 0, NULL, &address, &value);
}

static CUresult far_outside(void)
{
    return store(0x7fff00000000);
}
static CUresult null_pointer(void)
{
    return store(0);
}
static CUresult somebody_elses(void)
{
    return store(strtoull(other, NULL, 10));
}
static CUresult just_past(void)
{
    return store(mine + 4096);
}
static CUresult far_past(void)
{
    return store(mine + ((CUdeviceptr)1 << 45));
}

static CUresult misaligned(void)
{
    return LAUNCH(kernel(module, "store_misaligned"), 1, 1, 0, NULL, &mine);
}

static CUresult fail_assert(void)
{
    int value = 1;
    return LAUNCH(kernel(module, "fail_assert"), 1, 4, 0, NULL, &value);
}

static CUresult trap(void)
{
    return LAUNCH(kernel(module, "trap_now"), 8, 32, 0, NULL, NULL);
}
static CUresult recursion(void)
{
    return LAUNCH(kernel(module, "recurse"), 2, 32, 0, NULL, &mine);
}
static CUresult deadlock(void)
{
    return LAUNCH(kernel(module, "deadlock"), 2, 32, 0, NULL, NULL);
}

/* On every core, in several streams. */
static CUresult endless_in(int streams)
{
    CUfunction function = kernel(module, "endless");
    for (int i = 0; i < streams; i++) {
        CUstream stream;
        CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        CHECK(LAUNCH(function, 64, 128, 0, stream, &mine));
    }
    printf("runs\n");
    fflush(stdout);
    return CUDA_SUCCESS;
}

static CUresult endless(void)
{
    return endless_in(4);
}
static CUresult endless_in_many(void)
{
    return endless_in(1000);
}

static CUresult endless_then_exit(void)
{
    endless();
    usleep(500000);
    _exit(0);
}

static CUresult chatter(void)
{
    int lines = 200;
    for (int i = 0; i < 20; i++)
        CHECK(LAUNCH(kernel(module, "chatter"), 16, 32, 0, NULL, &lines));
    return CUDA_SUCCESS;
}

static void never_returns(void *unused)
{
    (void)unused;
    while (1)
        pause();
}

static CUresult host_function(void)
{
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuLaunchHostFunc(stream, never_returns, NULL));
    for (int i = 0; i < 10000; i++)
        CHECK(LAUNCH(kernel(module, "empty"), 1, 1, 0, stream, NULL));
    printf("runs\n");
    fflush(stdout);
    return cuStreamSynchronize(stream);
}

static const struct {
    const char *name;
    CUresult (*run)(void);
} TABLE[] = {
    {"far", far_outside},
    {"null", null_pointer},
    {"other", somebody_elses},
    {"past", just_past},
    {"far-past", far_past},
    {"misaligned", misaligned},
    {"assert", fail_assert},
    {"trap", trap},
    {"recursion", recursion},
    {"deadlock", deadlock},
    {"endless", endless},
    {"endless-exit", endless_then_exit},
    {"endless-many", endless_in_many},
    {"chatter", chatter},
    {"host-function", host_function},
};

int main(int argc, char **argv)
{
    other = argc > 2 ? argv[2] : other;
    open_device();
    CHECK(cuModuleLoadData(&module, trouble));
    mine = allocate(4096);
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (argc > 1 && strcmp(argv[1], TABLE[i].name) == 0) {
            CUresult begun = TABLE[i].run();
            CUresult waited = cuCtxSynchronize();
            CUdeviceptr more;
            CUresult then = cuMemAlloc(&more, 16);
            printf("%d %d\n", (int)(begun == CUDA_SUCCESS ? waited : begun), (int)then);
            return 0;
        }
    fprintf(stderr, "no trouble '%s'\n", argc > 1 ? argv[1] : "");
    return 2;
}
