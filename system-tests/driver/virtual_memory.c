/* Memory at addresses of the program's choice: reserved, made, mapped, with rights, and given back. */
#include "mapped.h"

enum { COUNT = 1 << 20 }; /* floats: two granules */

static size_t available(void)
{
    size_t left, all;
    CHECK(cuMemGetInfo(&left, &all));
    return left;
}

/* Two pieces side by side, made in the other order: kernels and copies go over the border. */
static void side_by_side(CUfunction add)
{
    static float data[COUNT], back[COUNT];
    size_t before = available();
    CUdeviceptr range = reserve(4 * GRANULE);
    CUmemGenericAllocationHandle second = create(GRANULE), first = create(GRANULE);
    REQUIRE(available() == before - 2 * GRANULE, "%zu bytes less", before - available());
    CHECK(cuMemMap(range, GRANULE, 0, first, 0));
    CHECK(cuMemMap(range + GRANULE, GRANULE, 0, second, 0));
    CHECK(allow(range, 2 * GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)i;
    CHECK(cuMemcpyHtoD(range, data, sizeof data));
    int count = COUNT - 1; /* so that accesses do not begin where rows do */
    CUdeviceptr odd = range + sizeof(float);
    CHECK(LAUNCH(add, (COUNT + 127) / 128, 128, 0, NULL, &odd, &odd, &odd, &count));
    CHECK(cuMemcpyDtoH(back, range, sizeof back));
    for (int i = 1; i < COUNT; i++)
        REQUIRE(back[i] == 2 * data[i], "element %d is %g", i, (double)back[i]);
    /* Copies between mapped memory and the context's own, and fills. */
    CUdeviceptr own = allocate(sizeof data);
    CHECK(cuMemcpyDtoD(own, range, sizeof data));
    CHECK(cuMemsetD32(range, 0x3f800000, COUNT));
    CHECK(cuMemcpyDtoDAsync(own, range + GRANULE - 64, 128, NULL));
    CHECK(cuMemcpyDtoH(back, own, sizeof back));
    REQUIRE(back[31] == 1 && back[32] == 2 * data[32], "%g %g", (double)back[31], (double)back[32]);
    CHECK(cuMemFree(own));
    /* The same memory at another address. */
    CHECK(cuMemMap(range + 2 * GRANULE, GRANULE, 0, first, 0));
    CHECK(allow(range + 2 * GRANULE, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ));
    CHECK(cuMemsetD8(range + 100, 7, 1));
    unsigned char byte = 0;
    CHECK(cuMemcpyDtoH(&byte, range + 2 * GRANULE + 100, 1));
    REQUIRE(byte == 7, "%d through the other mapping", byte);
    REQUIRE(available() == before - 2 * GRANULE, "%zu bytes less", before - available());
    /* Released, it stays while it is mapped. */
    CHECK(cuMemRelease(first));
    CHECK(cuMemRelease(second));
    EXPECT(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyDtoH(&byte, range + 100, 1));
    REQUIRE(byte == 7 && available() == before - 2 * GRANULE, "it is gone");
    CUmemGenericAllocationHandle again;
    CHECK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(range + 10)));
    CHECK(cuMemRelease(again));
    EXPECT(cuMemUnmap(range + GRANULE, GRANULE / 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressFree(range, 4 * GRANULE), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemUnmap(range, 3 * GRANULE));
    REQUIRE(available() == before, "%zu bytes are left behind", before - available());
    CHECK(cuMemAddressFree(range, 4 * GRANULE));
}

static void questions(void)
{
    size_t granularity = 0;
    CHECK(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    REQUIRE(granularity == GRANULE, "%zu", granularity);
    CUdeviceptr range = reserve(2 * GRANULE), start = 0;
    CUmemGenericAllocationHandle handle = create(2 * GRANULE);
    CHECK(cuMemMap(range, 2 * GRANULE, 0, handle, 0));
    unsigned long long flags = 9;
    CHECK(cuMemGetAccess(&flags, &properties.location, range));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE, "%llu", flags);
    CHECK(allow(range, 2 * GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ));
    CHECK(cuMemGetAccess(&flags, &properties.location, range + 5));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_READ, "%llu", flags);
    CUmemAllocationProp told;
    CHECK(cuMemGetAllocationPropertiesFromHandle(&told, handle));
    REQUIRE(told.type == properties.type && told.location.id == 0 && told.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE, "other properties");
    size_t bytes = 0;
    CHECK(cuMemGetAddressRange(&start, &bytes, range + GRANULE));
    REQUIRE(start == range && bytes == 2 * GRANULE, "%zu bytes", bytes);
    int type = 0, device = -1;
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, range));
    CHECK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, range));
    REQUIRE(type == CU_MEMORYTYPE_DEVICE && device == 0, "%d on %d", type, device);
    EXPECT(cuMemFree(range), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemUnmap(range, 2 * GRANULE));
    EXPECT(cuMemGetAddressRange(&start, &bytes, range), CUDA_ERROR_NOT_FOUND);
    CHECK(cuMemRelease(handle));
    CHECK(cuMemAddressFree(range, 2 * GRANULE));
}

static void mistakes(void)
{
    CUdeviceptr range = reserve(4 * GRANULE), other;
    CUmemGenericAllocationHandle handle = create(2 * GRANULE), none;
    EXPECT(cuMemCreate(&none, GRANULE + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&none, (size_t)1 << 63, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&none, ((size_t)1 << 63) - GRANULE, &properties, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemCreate(&none, 0, &properties, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&other, (size_t)1 << 63, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAddressReserve(&other, SIZE_MAX - GRANULE + 1, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAddressReserve(&other, GRANULE, 3 * GRANULE, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&other, GRANULE, (size_t)1 << 63, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemMap(range + 3 * GRANULE, 2 * GRANULE, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(range, 4 * GRANULE, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(range, GRANULE, 2 * GRANULE, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(range, GRANULE, SIZE_MAX - GRANULE + 1, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(range, SIZE_MAX - GRANULE + 1, GRANULE, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(range, GRANULE, 0, handle + 1, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(GRANULE, GRANULE, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemMap(range, 2 * GRANULE, 0, handle, 0));
    EXPECT(cuMemMap(range + GRANULE, GRANULE, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(range, GRANULE), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(range, 4 * GRANULE), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(range, SIZE_MAX - GRANULE + 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(allow(range, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_ERROR_INVALID_VALUE);
    EXPECT(allow(range + 2 * GRANULE, GRANULE, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_ERROR_INVALID_VALUE);
    EXPECT(allow(range, 2 * GRANULE, (CU_MEM_ACCESS_FLAGS_PROT_READ + 1)), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemcpyHtoD(range + 2 * GRANULE - 4, &range, 8), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemUnmap(range, 2 * GRANULE));
    EXPECT(cuMemUnmap(range, 2 * GRANULE), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemRelease(handle));
    EXPECT(cuMemAddressFree(range, 2 * GRANULE), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressFree(range + GRANULE, 3 * GRANULE), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAddressFree(range, 4 * GRANULE));
    EXPECT(cuMemAddressFree(range, 4 * GRANULE), CUDA_ERROR_INVALID_VALUE);
}

static void many_reservations(void)
{
#ifdef __SANITIZE_ADDRESS__ /* it has a mapping of its own for each */
    enum { MANY = 10000 };
#else
    enum { MANY = 100000 };
#endif
    static CUdeviceptr ranges[MANY];
    for (int i = 0; i < MANY; i++)
        ranges[i] = reserve(GRANULE);
    for (int i = 0; i < MANY; i++)
        CHECK(cuMemAddressFree(ranges[i], GRANULE));
}

int main(void)
{
    int there = 0;
    open_device();
    CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    if (there) {
        side_by_side(kernel(load_kernels(), "add"));
        questions();
        mistakes();
    }
    many_reservations();
    printf("ok %s\n", there ? "mapped" : "not on this device");
    return 0;
}
