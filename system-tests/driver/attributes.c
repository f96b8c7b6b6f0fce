/* What the driver says of the device. */
#include "check.h"

static int attribute(CUdevice_attribute which)
{
    int value = -1;
    CHECK(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

int main(void)
{
    CUdevice device;
    int count = 0, version = 0, value;
    char name[256] = "", small[4] = "xyz", bus[32];
    size_t total = 0, available, from_context;
    CUuuid uuid, zero = {{0}};
    CHECK(cuDriverGetVersion(&version)); /* before cuInit, as programs do */
    REQUIRE(version >= 12000, "version %d", version);
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    REQUIRE(count >= 1, "%d devices", count);
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetName(name, sizeof name, device));
    REQUIRE(strlen(name) > 0, "no name");
    CHECK(cuDeviceGetName(small, sizeof small, device));
    REQUIRE(small[3] == 0 && strncmp(small, name, 3) == 0, "cut name");
    CHECK(cuDeviceTotalMem(&total, device));
    CHECK(cuDeviceGetUuid(&uuid, device));
    REQUIRE(memcmp(&uuid, &zero, sizeof uuid) != 0, "the UUID is zero");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 32, "warp size");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024, "threads");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) == 1024, "block x");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) == 49152, "shared");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) == 1, "unified addressing");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) == 1, "managed");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) >= 1, "multiprocessors");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 7, "capability");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 1, "cooperative");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) > 0, "clock rate");
    REQUIRE(attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 0, "clusters");
    EXPECT(cuDeviceGetAttribute(&value, (CUdevice_attribute)100000, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count), CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGetPCIBusId(bus, sizeof bus, device));
    CHECK(cuDeviceGetByPCIBusId(&value, bus));
    REQUIRE(value == device, "%s is device %d", bus, value);
    int peer = 9;
    CHECK(cuDeviceCanAccessPeer(&peer, device, device));
    REQUIRE(peer == 0, "a device is not its own peer");
    open_device();
    CHECK(cuMemGetInfo(&available, &from_context));
    REQUIRE(from_context == total, "the context sees %zu bytes, the device has %zu", from_context, total);
    size_t limit = 0;
    CHECK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    REQUIRE(limit >= 1024, "stack of %zu bytes", limit);
    CHECK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
    CHECK(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
    REQUIRE(limit >= 2 << 20, "printf buffer of %zu bytes", limit);
    EXPECT(cuCtxSetLimit((CUlimit)99, 1), CUDA_ERROR_UNSUPPORTED_LIMIT);
    printf("ok %s\n", name);
    return 0;
}
