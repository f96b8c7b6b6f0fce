// Code loaded while the program runs, through the runtime: cudaLibraryLoadData, cudaLibraryGetKernel.
// forms: shared static
// stderr: facet: code refused: INVALID_PTX (218): line 2
#include "check.h"

#include <cstring>

const char TEXT[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 data)
{
    .reg .b32 %r<5>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    cvta.to.global.u64 %d1, %d1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d3, %d1, %d2;
    ld.global.u32 %r2, [%d3];
    ld.global.u32 %r3, [factor];
    mul.lo.u32 %r4, %r2, %r3;
    st.global.u32 [%d3], %r4;
    ret;
}
)";

int main()
{
    cudaLibrary_t library;
    CHECK(cudaLibraryLoadData(&library, TEXT, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    CHECK(cudaLibraryGetKernelCount(&count, library));
    REQUIRE(count == 1, "%u kernels", count);
    cudaKernel_t kernel;
    CHECK(cudaLibraryGetKernel(&kernel, library, "scale"));
    REQUIRE(cudaLibraryGetKernel(&kernel, library, "nothing") != cudaSuccess, "there is no such kernel");
    cudaGetLastError();
    CHECK(cudaLibraryGetKernel(&kernel, library, "scale"));
    unsigned values[32], *device;
    for (unsigned i = 0; i < 32; i++) {
        values[i] = i;
    }
    device = device_copy(values, 32);
    void *arguments[] = {&device};
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(32), arguments, 0, 0));
    void *factor;
    size_t bytes;
    unsigned ten = 10;
    CHECK(cudaLibraryGetGlobal(&factor, &bytes, library, "factor"));
    REQUIRE(bytes == 4, "%zu bytes", bytes);
    CHECK(cudaMemcpy(factor, &ten, sizeof ten, cudaMemcpyHostToDevice));
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(32), arguments, 0, 0));
    host_copy(values, device, 32);
    for (unsigned i = 0; i < 32; i++) {
        REQUIRE(values[i] == 30 * i, "element %u is %u", i, values[i]);
    }
    CHECK(cudaLibraryUnload(library));
    REQUIRE(cudaLibraryLoadData(&library, ".version 7.0\nnonsense", nullptr, nullptr, 0, nullptr, nullptr, 0) != cudaSuccess, "nonsense was loaded");
    printf("ok library\n");
    return 0;
}
