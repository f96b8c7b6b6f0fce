/* What is said about managed memory holds for the pages that it was said of, and for no others. */
#include "check.h"

#define MIB ((size_t)1 << 20)
#define PAGE ((size_t)4096)

static const CUmemLocation device = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
static const CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST};

static int value(CUdeviceptr address, size_t bytes, CUmem_range_attribute attribute)
{
    int value = 99;
    CHECK(cuMemRangeGetAttribute(&value, sizeof value, attribute, address, bytes));
    return value;
}

#define IS(expected, address, bytes, attribute) REQUIRE(value(address, bytes, attribute) == (expected), "%d", value(address, bytes, attribute))

static void ranges(CUdeviceptr memory, size_t bytes)
{
    IS(0, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(CU_DEVICE_INVALID, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);
    CHECK(cuMemAdvise_v2(memory + 2 * PAGE, 3 * PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, host));
    IS(0, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(1, memory + 2 * PAGE, 3 * PAGE, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(1, memory + 3 * PAGE + 5, 1, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(0, memory + 2 * PAGE - 1, 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(0, memory + 5 * PAGE, 1, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    CHECK(cuMemAdvise_v2(memory + 3 * PAGE + 1, 1, CU_MEM_ADVISE_UNSET_READ_MOSTLY, host));
    IS(0, memory + 3 * PAGE, PAGE, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    IS(1, memory + 4 * PAGE, PAGE, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);

    CHECK(cuMemAdvise_v2(memory, bytes / 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    CHECK(cuMemAdvise_v2(memory + bytes / 2, bytes / 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    IS(CU_DEVICE_CPU, memory, bytes / 2, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);
    IS(0, memory + bytes / 2, bytes / 2, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);
    IS(CU_DEVICE_INVALID, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);
    IS(CU_MEM_LOCATION_TYPE_INVALID, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE);
    IS(CU_MEM_LOCATION_TYPE_HOST, memory, PAGE, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE);
    CHECK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host));
    IS(CU_DEVICE_INVALID, memory, PAGE, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION);

    int who[3] = {7, 7, 7};
    CHECK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
    CHECK(cuMemAdvise_v2(memory, PAGE, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    CHECK(cuMemRangeGetAttribute(who, sizeof who, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, bytes));
    REQUIRE(who[0] == 0 && who[1] == CU_DEVICE_INVALID && who[2] == CU_DEVICE_INVALID, "%d %d %d", who[0], who[1], who[2]);
    CHECK(cuMemRangeGetAttribute(who, sizeof who, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, PAGE));
    REQUIRE(who[0] == CU_DEVICE_CPU && who[1] == 0 && who[2] == CU_DEVICE_INVALID, "%d %d %d", who[0], who[1], who[2]);
}

static void batches(CUdeviceptr memory, size_t bytes, CUstream stream)
{
    CUdeviceptr addresses[3] = {memory, memory + 2 * MIB, memory + 4 * MIB};
    size_t sizes[3] = {2 * MIB, 2 * MIB, bytes - 4 * MIB}, indices[2] = {0, 2};
    CUmemLocation places[2] = {host, device};
    CHECK(cuMemPrefetchBatchAsync(addresses, sizes, 3, places, indices, 2, 0, stream));
    IS(CU_DEVICE_CPU, memory, 4 * MIB, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
    IS(0, memory + 4 * MIB, bytes - 4 * MIB, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
    IS(CU_DEVICE_INVALID, memory, bytes, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
    IS(CU_MEM_LOCATION_TYPE_DEVICE, memory + 4 * MIB, MIB, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE);
    CHECK(cuMemDiscardBatchAsync(addresses, sizes, 2, 0, stream));
    CHECK(cuMemDiscardAndPrefetchBatchAsync(addresses, sizes, 1, places + 1, indices, 1, 0, stream));
    IS(0, memory, 2 * MIB, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);

    /* One that is wrong: none is done. */
    size_t wrong[3] = {2 * MIB, 2 * MIB, bytes};
    CUmemLocation nowhere[2] = {host, {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 50}};
    size_t backwards[2] = {0, 0}, late[2] = {1, 2}, beyond[2] = {0, 3};
    EXPECT(cuMemPrefetchBatchAsync(addresses, wrong, 3, places, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 3, nowhere, indices, 2, 0, stream), CUDA_ERROR_INVALID_DEVICE);
    IS(0, memory, 2 * MIB, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 3, places, backwards, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 3, places, late, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 3, places, beyond, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 3, places, indices, 2, 1, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchBatchAsync(addresses, sizes, 0, places, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemDiscardBatchAsync(NULL, sizes, 1, 0, stream), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamSynchronize(stream));
}

static void refused(CUdeviceptr memory, size_t bytes, CUstream stream)
{
    int two[2];
    CUdeviceptr plain = allocate(bytes);
    EXPECT(cuMemPrefetchAsync_v2(memory, bytes + 1, device, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchAsync_v2(memory, 0, device, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchAsync_v2(memory + 1, SIZE_MAX, device, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchAsync_v2(plain, bytes, device, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchAsync_v2(memory, bytes, device, 3, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPrefetchAsync_v2(memory, bytes, (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = -3}, 0, stream),
           CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuMemAdvise_v2(memory, bytes, (CUmem_advise)9, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_ACCESSED_BY, (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_INVALID}),
           CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemRangeGetAttribute(two, sizeof two, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, bytes), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemRangeGetAttribute(two, 6, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, bytes), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(plain));
}

int main(void)
{
    const size_t bytes = 8 * MIB + 100;
    CUdeviceptr memory, again;
    CUstream stream;
    open_device();
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
    memset((void *)(uintptr_t)memory, 3, bytes);
    ranges(memory, bytes & ~(2 * PAGE - 1));
    batches(memory, bytes, stream);
    refused(memory, bytes, stream);
    CUfunction add = kernel(load_kernels(), "add");
    int count = 100;
    float *numbers = (float *)(uintptr_t)memory;
    for (int i = 0; i < count; i++)
        numbers[i] = (float)i;
    CHECK(cuMemPrefetchAsync_v2(memory, bytes, host, 0, stream));
    CHECK(LAUNCH(add, 1, 128, 0, stream, &memory, &memory, &memory, &count));
    CHECK(cuMemPrefetchAsync_v2(memory, bytes, device, 0, stream));
    CHECK(cuStreamSynchronize(stream));
    REQUIRE(numbers[99] == 198, "%g", (double)numbers[99]);
    REQUIRE(((const char *)numbers)[bytes - 1] == 3, "its last byte is another");
    CHECK(cuMemFree(memory));
    /* Nothing of what was said is left for who gets the addresses next. */
    CHECK(cuMemAllocManaged(&again, bytes, CU_MEM_ATTACH_GLOBAL));
    IS(CU_DEVICE_INVALID, again, bytes, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION);
    IS(0, again, bytes, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY);
    CHECK(cuMemFree(again));
    printf("ok ranges of managed memory\n");
    return 0;
}
