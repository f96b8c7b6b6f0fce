/* References of old modules: a texture and a surface by the names of variables. */
#include "check.h"

static const char text[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".global .texref image;\n.global .surfref drawing;\n"
    ".visible .entry read(.param .u64 out, .param .f32 x) {\n"
    ".reg .f32 %f<8>; .reg .b64 %rd<3>; .reg .b32 %r<6>;\n"
    "ld.param.u64 %rd1, [out]; ld.param.f32 %f1, [x]; mov.f32 %f2, 0f3F000000;\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [image, {%f1, %f2}];\n"
    "st.global.f32 [%rd1], %f3;\n"
    "txq.width.b32 %r1, [image]; st.global.u32 [%rd1+4], %r1;\n"
    "mov.u64 %rd2, image; tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}]; st.global.f32 [%rd1+8], %f3;\nret; }\n"
    ".visible .entry draw(.param .u32 value) {\n"
    ".reg .b32 %r<4>;\nld.param.u32 %r1, [value]; mov.u32 %r2, 4;\n"
    "sust.b.1d.b32.trap [drawing, {%r2}], {%r1};\nret; }\n";

static void read_at(CUfunction function, CUdeviceptr out, float x, float wanted, uint32_t width)
{
    float seen[3];
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&out, &x}, NULL));
    CHECK(cuMemcpyDtoH(seen, out, sizeof seen));
    uint32_t found;
    memcpy(&found, &seen[1], sizeof found);
    REQUIRE(seen[0] == wanted && seen[2] == wanted && found == width, "at %g: %g %g of %u", (double)x, (double)seen[0], (double)seen[2], found);
}

int main(void)
{
    CUmodule module;
    CUfunction read, draw;
    CUtexref image, again;
    CUsurfref drawing;
    CUarray array, found;
    const float values[4] = {1, 2, 4, 8};
    CUDA_ARRAY_DESCRIPTOR wanted = {.Width = 4, .Height = 1, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    open_device();
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&read, module, "read"));
    CHECK(cuModuleGetFunction(&draw, module, "draw"));
    CHECK(cuModuleGetTexRef(&image, module, "image"));
    CHECK(cuModuleGetTexRef(&again, module, "image"));
    REQUIRE(image == again, "another reference");
    EXPECT(cuModuleGetTexRef(&again, module, "picture"), CUDA_ERROR_NOT_FOUND);
    CHECK(cuArrayCreate(&array, &wanted));
    CHECK(cuMemcpyHtoA(array, 0, values, sizeof values));
    CHECK(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
    CHECK(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
    CUdeviceptr out = allocate(64);
    read_at(read, out, 2, 3, 4);
    CHECK(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
    read_at(read, out, 2, 4, 4);
    CHECK(cuTexRefSetFlags(image, CU_TRSF_NORMALIZED_COORDINATES));
    CHECK(cuTexRefSetAddressMode(image, 0, CU_TR_ADDRESS_MODE_WRAP));
    read_at(read, out, 1.3f, 2, 4);
    CHECK(cuTexRefGetArray(&found, image));
    REQUIRE(found == array, "another array");
    EXPECT(cuTexRefSetArray(image, (CUarray)(void *)values, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuTexRefSetAddressMode(image, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuModuleGetSurfRef(&drawing, module, "drawing"));
    CHECK(cuSurfRefSetArray(drawing, array, 0));
    float five = 5;
    CHECK(cuLaunchKernel(draw, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&five}, NULL));
    read_at(read, out, 1.3f, 5, 4);
    size_t offset = 1;
    CUdeviceptr memory = allocate(4 * sizeof(float));
    CHECK(cuMemcpyHtoD(memory, values, sizeof values));
    CHECK(cuTexRefSetFlags(image, 0));
    CHECK(cuTexRefSetFormat(image, CU_AD_FORMAT_FLOAT, 1));
    CHECK(cuTexRefSetAddress(&offset, image, memory, sizeof values));
    REQUIRE(offset == 0, "offset %zu", offset);
    read_at(read, out, 3, 8, 4);
    CHECK(cuModuleUnload(module));
    EXPECT(cuTexRefSetFlags(image, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuArrayDestroy(array));
    printf("ok\n");
    return 0;
}
