/* Blocks know where they are, however a launch is given to the device: in three dimensions, with arguments as pointers and as a buffer, by handles
 * of modules and of libraries. Variables are the module's, whichever way they are reached; and nobody sees more kernels than there are. */
#include "check.h"

enum { X = 5, Y = 7, Z = 3, BLOCKS = X * Y * Z };

static const char text[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 blocks;\n"
    ".func (.param .b32 r) row()\n"
    "{ .reg .b32 %r<3>; mov.u32 %r0, %ctaid.z; mov.u32 %r1, %nctaid.y; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r0, %r0, %r1, %r2;\n"
    "  st.param.b32 [r], %r0; ret; }\n"
    ".visible .entry where(.param .u64 out, .param .u32 odd, .param .u32 seed)\n"
    "{ .reg .b32 %r<8>; .reg .b64 %l<4>; .reg .pred %p; .param .b32 a;\n"
    "  call (a), row, (); ld.param.b32 %r0, [a];\n"
    "  mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r0, %r1, %r2;\n"
    "  mov.u64 %l2, blocks; atom.global.add.u32 %r4, [%l2], 1;\n"
    "  ld.param.u32 %r5, [odd]; and.b32 %r6, %r3, %r5; setp.ne.u32 %p, %r6, 0; @%p ret;\n"
    "  ld.param.u32 %r5, [seed]; add.u32 %r7, %r3, %r5;\n"
    "  ld.param.u64 %l0, [out]; cvta.to.global.u64 %l0, %l0; mul.wide.u32 %l1, %r3, 4; add.u64 %l0, %l0, %l1; st.global.u32 [%l0], %r7; ret; }\n";

static void look(CUdeviceptr out, CUdeviceptr counter, unsigned odd, unsigned seed, unsigned launches)
{
    unsigned values[BLOCKS], count = 0;
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(values, out, sizeof values));
    CHECK(cuMemcpyDtoH(&count, counter, sizeof count));
    REQUIRE(count == launches * BLOCKS, "%u blocks in %u launches", count, launches);
    for (unsigned i = 0; i < BLOCKS; i++) {
        unsigned wanted = (i & odd) != 0 ? 0xEEEEEEEEu : i + seed;
        REQUIRE(values[i] == wanted, "block %u wrote %u instead of %u", i, values[i], wanted);
    }
    CHECK(cuMemsetD32(out, 0xEEEEEEEEu, BLOCKS));
}

static void launches(CUfunction function, CUdeviceptr out, CUdeviceptr counter)
{
    unsigned odd = 0, seed = 100;
    CHECK(cuMemsetD32(out, 0xEEEEEEEEu, BLOCKS));
    CHECK(cuMemsetD32(counter, 0, 1));
    void *pointers[] = {&out, &odd, &seed};
    CHECK(cuLaunchKernel(function, X, Y, Z, 1, 1, 1, 0, NULL, pointers, NULL));
    look(out, counter, odd, seed, 1);
    odd = 1;
    seed = 7;
    CHECK(cuLaunchKernel(function, X, Y, Z, 1, 1, 1, 0, CU_STREAM_PER_THREAD, pointers, NULL));
    look(out, counter, odd, seed, 2);
    struct {
        CUdeviceptr out;
        unsigned odd, seed;
    } buffer = {out, 2, 9};
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(function, X, Y, Z, 1, 1, 1, 0, NULL, NULL, extra));
    look(out, counter, buffer.odd, buffer.seed, 3);
    CUlaunchConfig config = {.gridDimX = X, .gridDimY = Y, .gridDimZ = Z, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1};
    CHECK(cuLaunchKernelEx(&config, function, pointers, NULL));
    look(out, counter, odd, seed, 4);
    EXPECT(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, pointers, NULL), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(function, X, Y, Z, 5000, 1, 1, 0, NULL, pointers, NULL), CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CUmodule module;
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUdeviceptr counter;
    unsigned count = 0;
    open_device();
    CUdeviceptr out = allocate(BLOCKS * sizeof(unsigned));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&function, module, "where"));
    CHECK(cuModuleGetGlobal(&counter, NULL, module, "blocks"));
    CHECK(cuModuleGetFunctionCount(&count, module));
    REQUIRE(count == 1, "%u kernels", count);
    CUfunction listed[2] = {0};
    CHECK(cuModuleEnumerateFunctions(listed, 1, module));
    const char *name = NULL;
    CHECK(cuFuncGetName(&name, listed[0]));
    REQUIRE(strcmp(name, "where") == 0, "%s is listed", name);
    launches(function, out, counter);
    CHECK(cuModuleUnload(module));

    CHECK(cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cuLibraryGetKernel(&kernel, library, "where"));
    CHECK(cuLibraryGetGlobal(&counter, NULL, library, "blocks"));
    CHECK(cuLibraryGetKernelCount(&count, library));
    REQUIRE(count == 1, "%u kernels", count);
    launches((CUfunction)kernel, out, counter);
    CHECK(cuKernelGetFunction(&function, kernel));
    launches(function, out, counter);
    CHECK(cuLibraryUnload(library));
    printf("ok ranges\n");
    return 0;
}
