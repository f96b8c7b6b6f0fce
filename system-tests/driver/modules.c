/* Modules: functions and variables by name, files, what goes wrong and what is said about it. */
/* stderr: facet: code refused: INVALID_PTX (218): line 1 */
#include "check.h"

#include <unistd.h>

static const char broken[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry bad()\n{\n    .reg .b32 %r<2>;\n    add.u32 %r1, %r9, 1;\n    ret;\n}\n";

int main(void)
{
    CUmodule module, second, none;
    CUfunction function;
    CUdeviceptr factor, offsets;
    size_t bytes = 0;
    int value, data[4] = {1, 2, 3, 4}, count = 4;
    open_device();
    module = load_kernels();
    EXPECT(cuModuleGetFunction(&function, module, "missing"), CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetGlobal(&factor, &bytes, module, "missing"), CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    REQUIRE(bytes == 4, "%zu bytes", bytes);
    CHECK(cuModuleGetGlobal(&offsets, &bytes, module, "offsets"));
    REQUIRE(bytes == 16, "%zu bytes", bytes);
    CHECK(cuMemcpyDtoH(&value, factor, 4));
    REQUIRE(value == 3, "initial value %d", value);
    value = -2;
    CHECK(cuMemcpyHtoD(factor, &value, 4));
    CHECK(cuMemsetD32(offsets + 4, 50, 1));
    CUdeviceptr device = allocate(sizeof data);
    CHECK(cuMemcpyHtoD(device, data, sizeof data));
    CHECK(LAUNCH(kernel(module, "scale"), 1, 32, 0, NULL, &device, &count));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    REQUIRE(data[0] == -1 && data[1] == 46 && data[2] == 94 && data[3] == 992, "%d %d %d %d", data[0], data[1], data[2], data[3]);

    /* The same text again has variables of its own. */
    CHECK(cuModuleLoad(&second, PTX_DIRECTORY "/kernels.ptx"));
    CHECK(cuModuleGetGlobal(&factor, NULL, second, "factor"));
    CHECK(cuMemcpyDtoH(&value, factor, 4));
    REQUIRE(value == 3, "the second module's value %d", value);
    CHECK(cuModuleUnload(second));
    EXPECT(cuModuleGetFunction(&function, second, "scale"), CUDA_ERROR_INVALID_HANDLE);

    /* A managed variable has the same address on both sides. */
    CUdeviceptr launches;
    CHECK(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
    *(volatile int *)(uintptr_t)launches = 40;
    CHECK(LAUNCH(kernel(module, "count_launch"), 1, 1, 0, NULL, NULL));
    CHECK(cuCtxSynchronize());
    REQUIRE(*(volatile int *)(uintptr_t)launches == 41, "managed: %d", *(volatile int *)(uintptr_t)launches);

    EXPECT(cuModuleLoad(&none, "/nonexistent/kernels.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
    CUresult refused = cuModuleLoadData(&none, "this is no image");
    REQUIRE(refused == CUDA_ERROR_INVALID_IMAGE || refused == CUDA_ERROR_INVALID_PTX, "no image: %s", name_of(refused));
    char log[2048] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS, CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)32, (void *)(uintptr_t)3};
    EXPECT(cuModuleLoadDataEx(&none, broken, 4, options, values), CUDA_ERROR_INVALID_PTX);
    REQUIRE(strlen(log) > 0 && strstr(log, "7") != NULL, "the log does not name line 7: '%s'", log);
    REQUIRE((size_t)(uintptr_t)values[1] <= sizeof log && (size_t)(uintptr_t)values[1] > 0, "%zu bytes of log", (size_t)(uintptr_t)values[1]);
    CHECK(
        cuModuleLoadDataEx(&second, kernels, 4, options, (void *[]){log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)9, (void *)(uintptr_t)3}));
    int registers = 0;
    CHECK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel(second, "scale")));
    REQUIRE(registers > 0 && registers <= 9, "%d registers of 9", registers);
    CHECK(cuModuleUnload(second));
    CHECK(cuModuleUnload(module));
    printf("ok modules\n");
    return 0;
}
