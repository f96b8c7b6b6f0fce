/* Calls from before CUDA 4, as programs find them by dlsym: launches that are set up step by step, sizes of 32 bits, versions
 * of names. */
#include "check.h"

#include <dlfcn.h>

enum { COUNT = 1000 };

static void *symbol(const char *name)
{
    static void *library;
    if (library == NULL)
        library = dlopen("libcuda.so.1", RTLD_NOW);
    void *found = dlsym(library, name);
    REQUIRE(found != NULL, "%s is missing", name);
    return found;
}

#define CALL(name, ...) (((CUresult(*)())symbol(name))(__VA_ARGS__))

static int at(CUdeviceptr address)
{
    int value = -1;
    CHECK(cuMemcpyDtoH(&value, address, sizeof value));
    return value;
}

/* kernel step(int *a, int n): reads it from where PTX puts it, pointer first. */
static void launches(CUmodule module)
{
    CUfunction store = kernel(module, "store");
    CUdeviceptr memory = allocate(64);
    CHECK(cuMemsetD32(memory, 0, 16));
    EXPECT(CALL("cuLaunch", store), CUDA_ERROR_INVALID_VALUE); /* no block yet */
    CHECK(CALL("cuFuncSetBlockShape", store, 1, 1, 1));
    EXPECT(CALL("cuFuncSetBlockShape", store, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuFuncSetBlockShape", store, -1, 1, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuLaunch", store), CUDA_ERROR_INVALID_VALUE); /* no arguments yet */
    CHECK(CALL("cuFuncSetSharedSize", store, 16u));
    CHECK(CALL("cuParamSetv", store, 0, &memory, (unsigned)sizeof memory));
    CHECK(CALL("cuParamSeti", store, 8, 41u));
    CHECK(CALL("cuParamSetSize", store, 12u));
    CHECK(CALL("cuLaunch", store));
    CHECK(cuCtxSynchronize());
    REQUIRE(at(memory) == 41, "cuLaunch stored %d", at(memory));
    CHECK(CALL("cuParamSeti", store, 8, 42u));
    CHECK(CALL("cuLaunchGrid", store, 2, 3));
    CHECK(cuCtxSynchronize());
    REQUIRE(at(memory) == 42, "cuLaunchGrid stored %d", at(memory));
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(CALL("cuParamSeti", store, 8, 43u));
    CHECK(CALL("cuLaunchGridAsync", store, 1, 1, stream));
    CHECK(CALL("cuParamSeti", store, 8, 99u)); /* what was launched keeps its arguments */
    CHECK(cuStreamSynchronize(stream));
    REQUIRE(at(memory) == 43, "cuLaunchGridAsync stored %d", at(memory));
    EXPECT(CALL("cuLaunchGrid", store, 0, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuLaunchGrid", store, -5, 1), CUDA_ERROR_INVALID_VALUE);
    CHECK(CALL("cuFuncSetBlockShape", store, 0x7fffffff, 1, 1));
    EXPECT(CALL("cuLaunch", store), CUDA_ERROR_INVALID_VALUE);
}

static void hostile(CUmodule module)
{
    CUfunction store = kernel(module, "store");
    static char bytes[1 << 16];
    EXPECT(CALL("cuParamSetSize", store, 0xffffffffu), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetv", store, -1, bytes, 1u), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetv", store, 0, bytes, 0xffffffffu), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetv", store, 32760, bytes, 8u), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetv", store, 0x7fffffff, bytes, 0x7fffffffu), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetv", store, 0, NULL, 4u), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSeti", store, 0x7ffffffe, 1u), CUDA_ERROR_INVALID_VALUE);
    EXPECT(CALL("cuParamSetSize", (CUfunction)(uintptr_t)0x1234560, 8u), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(CALL("cuLaunch", NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void sizes(void)
{
    unsigned free = 0, total = 0, all = 0;
    size_t wide_free, wide_total;
    void *memory = NULL;
    CHECK(cuMemGetInfo(&wide_free, &wide_total));
    CHECK(CALL("cuMemGetInfo", &free, &total));
    CHECK(CALL("cuDeviceTotalMem", &all, 0));
    unsigned expected = wide_total > 0xffffffffu ? 0xffffffffu : (unsigned)wide_total;
    REQUIRE(total == expected && free <= total && all == expected, "%u of %u, %u", free, total, all);
    CHECK(CALL("cuMemAllocHost", &memory, 4096u));
    memset(memory, 7, 4096);
    CHECK(cuMemFreeHost(memory));
}

/* Every version of a name by the version of CUDA that a program was made for. */
static void versions(void)
{
    static const struct {
        const char *name;
        int version;
        const char *symbol;
    } cases[] = {{"cuCtxCreate", 2000, "cuCtxCreate"},
                 {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
                 {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
                 {"cuCtxCreate", 13000, "cuCtxCreate_v4"},
                 {"cuCtxGetDevice", 12090, "cuCtxGetDevice"},
                 {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
                 {"cuMemHostRegister", 4000, "cuMemHostRegister"},
                 {"cuMemHostRegister", 6050, "cuMemHostRegister_v2"},
                 {"cuMemcpyHtoD", 3000, "cuMemcpyHtoD"},
                 {"cuLaunchGrid", 2000, "cuLaunchGrid"},
                 {"cuGLGetDevices", 12000, "cuGLGetDevices_v2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *found = NULL;
        CHECK(CALL("cuGetProcAddress", cases[i].name, &found, cases[i].version, (cuuint64_t)0));
        REQUIRE(found == symbol(cases[i].symbol), "%s for %d is another one", cases[i].name, cases[i].version);
    }
}

/* Clients from before CUDA 13 that prefer _v2 call these with one argument less: what stands in place of a context is
 * whatever was there. */
static void one_less(void)
{
    CUdevice device = -1;
    CHECK(CALL("cuCtxGetDevice_v2", &device, (CUcontext)(uintptr_t)0x5a5a5a5a5a5a));
    REQUIRE(device == 0, "device %d", device);
    CHECK(CALL("cuCtxSynchronize_v2", (CUcontext)(uintptr_t)3));
}

int main(void)
{
    open_device();
    CUmodule module = load_kernels();
    launches(module);
    hostile(module);
    CHECK(cuModuleUnload(module));
    module = load_kernels(); /* what was set has gone with the module */
    EXPECT(CALL("cuLaunch", kernel(module, "store")), CUDA_ERROR_INVALID_VALUE);
    sizes();
    versions();
    one_less();
    printf("ok old calls\n");
    return 0;
}
