/* Arrays: what goes in by row and slice comes out the same, in all the ways in and out. */
#include "check.h"

enum { WIDTH = 100, HEIGHT = 7, DEPTH = 3 };

static unsigned char number(size_t x, size_t y, size_t z)
{
    return (unsigned char)(x * 3 + y * 17 + z * 71 + 1);
}

static void boxes(void)
{
    CUarray array, other;
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = WIDTH, .Height = HEIGHT, .Depth = DEPTH, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1}, got;
    CHECK(cuArray3DCreate(&array, &wanted));
    CHECK(cuArray3DCreate(&other, &wanted));
    CHECK(cuArray3DGetDescriptor(&got, array));
    REQUIRE(got.Width == WIDTH && got.Height == HEIGHT && got.Depth == DEPTH && got.NumChannels == 1, "another description");
    static unsigned char in[DEPTH][HEIGHT][WIDTH], out[DEPTH][HEIGHT][WIDTH];
    for (size_t z = 0; z < DEPTH; z++)
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++)
                in[z][y][x] = number(x, y, z);
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = in,
                          .srcPitch = WIDTH,
                          .srcHeight = HEIGHT,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT,
                          .Depth = DEPTH};
    CHECK(cuMemcpy3D(&copy));
    /* A part of it, shifted, to the other one; that one as a whole comes back. */
    CUDA_MEMCPY3D shift = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                           .srcArray = array,
                           .srcXInBytes = 10,
                           .srcY = 2,
                           .srcZ = 1,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = other,
                           .dstXInBytes = 20,
                           .dstY = 3,
                           .dstZ = 0,
                           .WidthInBytes = 50,
                           .Height = 4,
                           .Depth = 2};
    CHECK(cuMemcpy3D(&shift));
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = other,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = WIDTH,
                          .dstHeight = HEIGHT,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT,
                          .Depth = DEPTH};
    CHECK(cuMemcpy3DAsync(&back, NULL));
    CHECK(cuCtxSynchronize());
    for (size_t z = 0; z < DEPTH; z++)
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++) {
                bool inside = x >= 20 && x < 70 && y >= 3 && y < 7 && z < 2;
                unsigned char expected = inside ? number(x - 10, y - 1, z + 1) : 0;
                REQUIRE(out[z][y][x] == expected, "%d at %zu %zu %zu, not %d", out[z][y][x], x, y, z, expected);
            }
    /* What does not fit is refused. */
    shift.dstXInBytes = 51;
    EXPECT(cuMemcpy3D(&shift), CUDA_ERROR_INVALID_VALUE);
    shift.dstXInBytes = 0;
    shift.srcZ = 2;
    EXPECT(cuMemcpy3D(&shift), CUDA_ERROR_INVALID_VALUE);
    shift.srcZ = 0;
    shift.srcArray = (CUarray)(void *)in;
    EXPECT(cuMemcpy3D(&shift), CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuArrayDestroy(other));
    EXPECT(cuArrayDestroy(other), CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuArrayDestroy(array));
}

static void rows_and_bytes(void)
{
    CUarray array, copy;
    CUDA_ARRAY_DESCRIPTOR wanted = {.Width = 30, .Height = 9, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 2}, got;
    const size_t row = 30 * 8, all = row * 9;
    CHECK(cuArrayCreate(&array, &wanted));
    CHECK(cuArrayCreate(&copy, &wanted));
    CHECK(cuArrayGetDescriptor(&got, array));
    REQUIRE(got.Width == 30 && got.Height == 9 && got.Format == CU_AD_FORMAT_FLOAT && got.NumChannels == 2, "another description");
    static unsigned char in[30 * 8 * 9], out[30 * 8 * 9];
    for (size_t i = 0; i < all; i++)
        in[i] = (unsigned char)(i * 7 + i / row);
    CHECK(cuMemcpyHtoA(array, 0, in, 100));
    CHECK(cuMemcpyHtoAAsync(array, 100, in + 100, all - 100, NULL));
    CUdeviceptr device = allocate(all);
    CHECK(cuMemcpyAtoD(device, array, 0, all));
    CHECK(cuMemcpyDtoH(out, device, all));
    REQUIRE(memcmp(in, out, all) == 0, "over the ends of rows");
    CHECK(cuMemcpyDtoA(copy, 0, device, all));
    CHECK(cuMemcpyAtoA(copy, 300, array, 10, 1000));
    CHECK(cuMemcpyAtoHAsync(out, copy, 0, all, NULL));
    CHECK(cuCtxSynchronize());
    for (size_t i = 0; i < all; i++)
        REQUIRE(out[i] == (i >= 300 && i < 1300 ? in[i - 290] : in[i]), "byte %zu", i);
    memset(out, 0, sizeof out);
    CUDA_MEMCPY2D part = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .srcXInBytes = 16,
                          .srcY = 2,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = 64,
                          .WidthInBytes = 64,
                          .Height = 5};
    CHECK(cuMemcpy2D(&part));
    for (size_t y = 0; y < 5; y++)
        REQUIRE(memcmp(out + y * 64, in + (y + 2) * row + 16, 64) == 0, "row %zu", y);
    memset(out, 0, sizeof out);
    CHECK(cuMemcpy2DUnaligned(&part));
    REQUIRE(memcmp(out, in + 2 * row + 16, 64) == 0, "unaligned");
    EXPECT(cuMemcpyAtoH(out, array, all - 3, 4), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(device));
    CHECK(cuArrayDestroy(copy));
    CHECK(cuArrayDestroy(array));
}

static void refused(void)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR flat = {.Width = 0, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    EXPECT(cuArrayCreate(&array, &flat), CUDA_ERROR_INVALID_VALUE);
    flat = (CUDA_ARRAY_DESCRIPTOR){.Width = 4, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 3};
    EXPECT(cuArrayCreate(&array, &flat), CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR box = {.Width = 4, .Depth = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    EXPECT(cuArray3DCreate(&array, &box), CUDA_ERROR_INVALID_VALUE);
    box.Flags = CUDA_ARRAY3D_LAYERED;
    CHECK(cuArray3DCreate(&array, &box)); /* four rows, each a layer */
    EXPECT(cuArrayGetDescriptor(&flat, array), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuArrayDestroy(array));
    EXPECT(cuArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
}

static size_t available(void)
{
    size_t left, all;
    CHECK(cuMemGetInfo(&left, &all));
    return left;
}

/* One that is to get its memory later has none, and says how much it would take. */
static void later(void)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = 100, .Height = 20, .Depth = 5, .Format = CU_AD_FORMAT_UNSIGNED_INT16, .NumChannels = 4};
    CUDA_ARRAY3D_DESCRIPTOR empty = wanted;
    CUDA_ARRAY_MEMORY_REQUIREMENTS array_needs, mipmap_needs;
    CUarray array, filled;
    CUmipmappedArray mipmap, full;
    unsigned char byte = 1;
    empty.Flags = CUDA_ARRAY3D_DEFERRED_MAPPING;
    size_t before = available();
    CHECK(cuArray3DCreate(&array, &empty));
    CHECK(cuMipmappedArrayCreate(&mipmap, &empty, 3));
    REQUIRE(available() == before, "%zu bytes", before - available());
    CHECK(cuArrayGetMemoryRequirements(&array_needs, array, 0));
    CHECK(cuMipmappedArrayGetMemoryRequirements(&mipmap_needs, mipmap, 0));
    EXPECT(cuMemcpyHtoA(array, 0, &byte, 1), CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuArray3DCreate(&filled, &wanted));
    REQUIRE(before - available() == array_needs.size, "%zu of %zu bytes", before - available(), array_needs.size);
    CHECK(cuMipmappedArrayCreate(&full, &wanted, 3));
    REQUIRE(before - available() == array_needs.size + mipmap_needs.size, "%zu of %zu bytes", before - available(), mipmap_needs.size);
    EXPECT(cuArrayGetMemoryRequirements(&array_needs, filled, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMipmappedArrayDestroy(full));
    CHECK(cuArrayDestroy(filled));
    CHECK(cuMipmappedArrayDestroy(mipmap));
    CHECK(cuArrayDestroy(array));
    REQUIRE(available() == before, "%zu bytes are left behind", before - available());
}

int main(void)
{
    open_device();
    boxes();
    rows_and_bytes();
    refused();
    later();
    printf("ok arrays\n");
    return 0;
}
