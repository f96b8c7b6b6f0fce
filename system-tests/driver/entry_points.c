/* A program that finds libcuda while it runs, as Python packages and ffmpeg do. */
/* libraries: none */
#include "check.h"

#include <dlfcn.h>

typedef CUresult (*get_1)(const char *, void **, int, cuuint64_t);
typedef CUresult (*get_2)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);

int main(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL, "%s", dlerror());
    CUresult (*init)(unsigned) = (CUresult(*)(unsigned))dlsym(library, "cuInit");
    CUresult (*version)(int *) = (CUresult(*)(int *))dlsym(library, "cuDriverGetVersion");
    get_1 first = (get_1)dlsym(library, "cuGetProcAddress");
    get_2 second = (get_2)dlsym(library, "cuGetProcAddress_v2");
    REQUIRE(init != NULL && version != NULL && first != NULL && second != NULL, "a symbol is missing");
    REQUIRE(dlsym(library, "cuMemAlloc_v2") != NULL && dlsym(library, "cuLaunchKernel_ptsz") != NULL, "a versioned symbol is missing");
    int number = 0;
    REQUIRE(version(&number) == CUDA_SUCCESS && number >= 12000, "version %d", number);
    REQUIRE(init(0) == CUDA_SUCCESS, "cuInit");

    void *alloc = NULL, *old = NULL, *launch = NULL, *per_thread = NULL, *none = &none;
    CUdriverProcAddressQueryResult found;
    REQUIRE(first("cuMemAlloc", &alloc, 11000, 0) == CUDA_SUCCESS && alloc == dlsym(library, "cuMemAlloc_v2"), "cuMemAlloc is its second version");
    REQUIRE(second("cuMemAlloc", &old, 2000, 0, &found) == CUDA_SUCCESS && old != alloc, "the first version of cuMemAlloc");
    REQUIRE(second("cuLaunchKernel", &launch, 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found) == CUDA_SUCCESS &&
                found == CU_GET_PROC_ADDRESS_SUCCESS,
            "cuLaunchKernel");
    REQUIRE(second("cuLaunchKernel", &per_thread, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &found) == CUDA_SUCCESS, "per thread");
    REQUIRE(launch == dlsym(library, "cuLaunchKernel") && per_thread == dlsym(library, "cuLaunchKernel_ptsz"), "streams of entry points");
    REQUIRE(second("cuNoSuchCall", &none, 12000, 0, &found) == CUDA_ERROR_NOT_FOUND, "cuNoSuchCall");
    REQUIRE(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && none == NULL, "found %d", (int)found);
    CUresult newer = second("cuLaunchKernelEx", &none, 9000, 0, &found);
    REQUIRE(newer == CUDA_ERROR_NOT_FOUND && found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, "for CUDA 9: %d, found %d", (int)newer, (int)found);

    /* And it works. */
    CUresult (*get_device)(CUdevice *, int), (*retain)(CUcontext *, CUdevice), (*set)(CUcontext);
    CUresult (*fill)(CUdeviceptr, unsigned, size_t), (*down)(void *, CUdeviceptr, size_t);
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory;
    unsigned word = 0;
    REQUIRE(second("cuDeviceGet", (void **)&get_device, 12000, 0, NULL) == CUDA_SUCCESS, "cuDeviceGet");
    REQUIRE(second("cuDevicePrimaryCtxRetain", (void **)&retain, 12000, 0, NULL) == CUDA_SUCCESS, "cuDevicePrimaryCtxRetain");
    REQUIRE(second("cuCtxSetCurrent", (void **)&set, 12000, 0, NULL) == CUDA_SUCCESS, "cuCtxSetCurrent");
    REQUIRE(second("cuMemsetD32", (void **)&fill, 12000, 0, NULL) == CUDA_SUCCESS, "cuMemsetD32");
    REQUIRE(second("cuMemcpyDtoH", (void **)&down, 12000, 0, NULL) == CUDA_SUCCESS, "cuMemcpyDtoH");
    REQUIRE(get_device(&device, 0) == CUDA_SUCCESS && retain(&context, device) == CUDA_SUCCESS && set(context) == CUDA_SUCCESS, "context");
    REQUIRE(((CUresult(*)(CUdeviceptr *, size_t))alloc)(&memory, 4096) == CUDA_SUCCESS, "alloc");
    REQUIRE(fill(memory, 0xcafe, 1024) == CUDA_SUCCESS && down(&word, memory + 4092, 4) == CUDA_SUCCESS && word == 0xcafe, "word %x", word);
    printf("ok entry points\n");
    return 0;
}
