/* Libraries: loaded without a context, kernels in each context that asks. */
#include "check.h"

int main(void)
{
    CUlibrary library;
    CUkernel handle;
    CUfunction function;
    CUmodule module;
    CUcontext other;
    CUdeviceptr factor;
    size_t bytes;
    unsigned count = 0;
    int value = 0, data[4] = {1, 2, 3, 4}, elements = 4;
    CHECK(cuInit(0));
    CHECK(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    open_device();
    CHECK(cuLibraryGetKernelCount(&count, library));
    REQUIRE(count == 9, "%u kernels", count);
    CHECK(cuLibraryGetKernel(&handle, library, "scale"));
    EXPECT(cuLibraryGetKernel((CUkernel[1]){0}, library, "missing"), CUDA_ERROR_NOT_FOUND);
    const char *name = NULL;
    CHECK(cuKernelGetName(&name, handle));
    REQUIRE(strcmp(name, "scale") == 0, "name %s", name);

    CUdeviceptr device = allocate(sizeof data);
    CHECK(cuMemcpyHtoD(device, data, sizeof data));
    CHECK(LAUNCH((CUfunction)handle, 1, 32, 0, NULL, &device, &elements)); /* a kernel serves as a function */
    CHECK(cuKernelGetFunction(&function, handle));
    CHECK(LAUNCH(function, 1, 32, 0, NULL, &device, &elements));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    REQUIRE(data[0] == (1 * 3 + 1) * 3 + 1 && data[3] == (4 * 3 + 1000) * 3 + 1000, "%d %d", data[0], data[3]);

    CHECK(cuLibraryGetGlobal(&factor, &bytes, library, "factor"));
    value = 7;
    CHECK(cuMemcpyHtoD(factor, &value, sizeof value));
    CHECK(cuLibraryGetModule(&module, library));
    CHECK(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    CHECK(cuMemcpyDtoH(&value, factor, sizeof value));
    REQUIRE(value == 7, "the module's variable is another one: %d", value);
    CHECK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, handle, 0));
    REQUIRE(value == 1024, "%d threads", value);

    /* Another context has its own variables. */
    CHECK(cuCtxCreate_v2(&other, 0, 0));
    CHECK(cuLibraryGetGlobal(&factor, &bytes, library, "factor"));
    CHECK(cuMemcpyDtoH(&value, factor, sizeof value));
    REQUIRE(value == 3, "the other context's variable: %d", value);
    device = allocate(sizeof data);
    CHECK(cuMemsetD32(device, 1, 4));
    CHECK(LAUNCH((CUfunction)handle, 1, 32, 0, NULL, &device, &elements));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    REQUIRE(data[0] == 4, "in the other context: %d", data[0]);
    CHECK(cuCtxDestroy(other));
    CHECK(cuLibraryUnload(library));
    printf("ok library\n");
    return 0;
}
