// role: helper
/* What a device of a compute capability is like: prints it with the shared memory that a block may have, uses all of that, and
 * loads code for architectures. */
#include "check.h"

static int attribute(CUdevice_attribute which)
{
    int value = 0;
    CHECK(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

static CUresult load(int architecture)
{
    char text[256];
    CUmodule module;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    char log[512] = "";
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    snprintf(text, sizeof text, ".version 8.7\n.target sm_%d\n.address_size 64\n.visible .entry k()\n{\n    ret;\n}\n", architecture);
    CUresult result = cuModuleLoadDataEx(&module, text, 2, options, values);
    REQUIRE(result == CUDA_SUCCESS || strstr(log, "--profile") != NULL, "sm_%d: %s", architecture, log);
    return result;
}

int main(void)
{
    enum { COUNT = 1024 };
    char name[128];
    open_device();
    CHECK(cuDeviceGetName(name, sizeof name, 0));
    int capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    int shared = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    CUfunction reverse = kernel(load_kernels(), "reverse");
    CHECK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared));
    EXPECT(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared + 1), CUDA_ERROR_INVALID_VALUE);
    int values[COUNT], count = COUNT;
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    CUdeviceptr memory = allocate(sizeof values);
    CHECK(cuMemcpyHtoD(memory, values, sizeof values));
    void *arguments[] = {&memory, &count};
    CHECK(cuLaunchKernel(reverse, 1, 1, 1, 256, 1, 1, (unsigned)shared, NULL, arguments, NULL));
    CHECK(cuMemcpyDtoH(values, memory, sizeof values));
    REQUIRE(values[0] == COUNT - 1 && values[COUNT - 1] == 0, "%d ... %d", values[0], values[COUNT - 1]);
    static const int architectures[] = {52, 75, 80, 89, 90, 120};
    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++)
        EXPECT(load(architectures[i]), architectures[i] <= capability ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX);
    printf("%d %d %d %s\n", capability, shared / 1024, attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), name);
    return 0;
}
