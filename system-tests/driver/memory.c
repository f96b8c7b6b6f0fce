/* Memory by the driver API: ranges, attributes of pointers, fills, rectangles, host memory. */
#include "check.h"

int main(void)
{
    CUdeviceptr base, found;
    size_t bytes, pitch, available, total;
    CUcontext context = open_device(), of;
    EXPECT(cuMemAlloc(&base, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&base, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
    base = allocate(1000);
    CHECK(cuMemGetAddressRange(&found, &bytes, base + 500));
    REQUIRE(found == base && bytes == 1000, "range of %zu bytes", bytes);
    unsigned type = 0;
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base + 10));
    REQUIRE(type == CU_MEMORYTYPE_DEVICE, "type %u", type);
    CHECK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, base));
    REQUIRE(of == context, "another context");
    EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)&type), CUDA_ERROR_INVALID_VALUE);
    unsigned managed = 9;
    int ordinal = 9;
    void *answers[] = {&type, &managed, &ordinal};
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    CHECK(cuPointerGetAttributes(3, asked, answers, base));
    REQUIRE(type == CU_MEMORYTYPE_DEVICE && (managed & 0xff) == 0 && ordinal == 0, "type %u, managed %u, device %d", type, managed, ordinal);

    unsigned char back[1000];
    CHECK(cuMemsetD8(base, 0xab, 1000));
    CHECK(cuMemsetD16(base + 2, 0x1234, 3));
    CHECK(cuMemsetD32(base + 12, 0xdeadbeef, 2));
    CHECK(cuMemcpyDtoH(back, base, 1000));
    REQUIRE(back[1] == 0xab && back[2] == 0x34 && back[3] == 0x12 && back[7] == 0x12 && back[8] == 0xab, "16-bit fill");
    REQUIRE(back[12] == 0xef && back[19] == 0xde && back[20] == 0xab && back[999] == 0xab, "32-bit fill");
    EXPECT(cuMemsetD32(base + 2, 0, 1), CUDA_ERROR_INVALID_VALUE); /* not aligned */

    CUdeviceptr rows;
    CHECK(cuMemAllocPitch(&rows, &pitch, 100, 10, 4));
    REQUIRE(pitch >= 100, "pitch %zu", pitch);
    CHECK(cuMemsetD2D32(rows, pitch, 0x01020304, 25, 10));
    unsigned char picture[10][100];
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = rows,
                          .srcPitch = pitch,
                          .srcXInBytes = 4,
                          .srcY = 1,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = picture,
                          .dstPitch = 100,
                          .dstXInBytes = 8,
                          .dstY = 2,
                          .WidthInBytes = 60,
                          .Height = 7};
    memset(picture, 9, sizeof picture);
    CHECK(cuMemcpy2D(&copy));
    REQUIRE(picture[2][7] == 9 && picture[2][8] == 4 && picture[8][67] == 1 && picture[8][68] == 9 && picture[9][8] == 9, "rectangle");
    copy.srcPitch = 10;
    EXPECT(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);

    /* Host memory, seen from both sides. */
    void *host, *registered = aligned_alloc(4096, 8192);
    CUdeviceptr seen;
    unsigned flags = 0;
    CHECK(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED));
    CHECK(cuMemHostGetDevicePointer(&seen, host, 0));
    CHECK(cuMemHostGetFlags(&flags, host));
    REQUIRE((flags & CU_MEMHOSTALLOC_DEVICEMAP) && (flags & CU_MEMHOSTALLOC_WRITECOMBINED), "flags %u", flags);
    CHECK(cuMemsetD8(seen, 0x5a, 4096));
    CHECK(cuCtxSynchronize());
    REQUIRE(((volatile unsigned char *)host)[4095] == 0x5a, "mapped");
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)host));
    REQUIRE(type == CU_MEMORYTYPE_HOST, "type %u", type);
    CHECK(cuMemFreeHost(host));
    CHECK(cuMemHostRegister(registered, 8192, CU_MEMHOSTREGISTER_DEVICEMAP));
    CHECK(cuMemHostGetDevicePointer(&seen, registered, 0));
    CHECK(cuMemsetD8(seen + 100, 0x77, 8000));
    CHECK(cuCtxSynchronize());
    REQUIRE(((unsigned char *)registered)[8099] == 0x77, "registered");
    CHECK(cuMemHostUnregister(registered));
    free(registered);

    CUdeviceptr shared;
    CHECK(cuMemAllocManaged(&shared, 4096, CU_MEM_ATTACH_GLOBAL));
    ((volatile int *)(uintptr_t)shared)[3] = 99;
    CHECK(cuMemcpyDtoD(base, shared, 16));
    CHECK(cuMemcpyDtoH(back, base, 16));
    REQUIRE(back[12] == 99, "managed: %d", back[12]);
    CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, shared));
    REQUIRE((managed & 0xff) == 1, "not managed");
    CHECK(cuMemFree(shared));
    EXPECT(cuMemFree(shared), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree(base + 4), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(base));
    CHECK(cuMemGetInfo(&available, &total));
    REQUIRE(available <= total, "%zu of %zu", available, total);
    printf("ok memory\n");
    return 0;
}
