// What the device says of itself, and that attributes and properties agree.
// forms: shared static
#include "check.h"

#include <cstring>

int attribute(cudaDeviceAttr which)
{
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    int count = 0, device = -1, driver = 0, runtime = 0;
    CHECK(cudaGetDeviceCount(&count));
    REQUIRE(count >= 1, "%d devices", count);
    CHECK(cudaGetDevice(&device));
    REQUIRE(device == 0, "current device is %d", device);
    EXPECT(cudaSetDevice(count), cudaErrorInvalidDevice);
    EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
    CHECK(cudaSetDevice(0));

    cudaDeviceProp p;
    memset(&p, 0xee, sizeof p);
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT(cudaGetDeviceProperties(&p, count), cudaErrorInvalidDevice);
    REQUIRE(strlen(p.name) > 0 && strlen(p.name) < sizeof p.name, "no name");
    REQUIRE(p.warpSize == 32, "warp size %d", p.warpSize);
    REQUIRE(p.maxThreadsPerBlock == 1024, "%d threads a block", p.maxThreadsPerBlock);
    REQUIRE(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64, "block dimensions");
    REQUIRE(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535, "grid dimensions");
    REQUIRE(p.sharedMemPerBlock == 48 * 1024, "%zu bytes of shared memory", p.sharedMemPerBlock);
    REQUIRE(p.totalConstMem == 65536, "%zu bytes of constant memory", p.totalConstMem);
    REQUIRE(p.totalGlobalMem >= 64 << 20, "%zu bytes of memory", p.totalGlobalMem);
    REQUIRE(p.multiProcessorCount >= 1, "%d multiprocessors", p.multiProcessorCount);
    REQUIRE(p.major * 10 + p.minor >= 75, "compute capability %d.%d", p.major, p.minor);
    REQUIRE(p.unifiedAddressing == 1 && p.managedMemory == 1 && p.canMapHostMemory == 1, "unified addressing");
    REQUIRE(p.memPitch > 0 && p.textureAlignment > 0, "pitch and alignment");
    char zero[16] = {};
    REQUIRE(memcmp(&p.uuid, zero, 16) != 0, "the UUID is zero");

    REQUIRE(attribute(cudaDevAttrWarpSize) == p.warpSize, "warp size");
    REQUIRE(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock, "threads a block");
    REQUIRE(attribute(cudaDevAttrMaxBlockDimZ) == p.maxThreadsDim[2], "block z");
    REQUIRE(attribute(cudaDevAttrMaxGridDimX) == p.maxGridSize[0], "grid x");
    REQUIRE(attribute(cudaDevAttrMaxSharedMemoryPerBlock) == static_cast<int>(p.sharedMemPerBlock), "shared memory");
    REQUIRE(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == static_cast<int>(p.sharedMemPerBlockOptin), "opt-in shared memory");
    REQUIRE(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount, "multiprocessors");
    REQUIRE(attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == p.maxThreadsPerMultiProcessor, "threads");
    REQUIRE(attribute(cudaDevAttrMaxRegistersPerBlock) == p.regsPerBlock, "registers");
    REQUIRE(attribute(cudaDevAttrComputeCapabilityMajor) == p.major, "major");
    REQUIRE(attribute(cudaDevAttrComputeCapabilityMinor) == p.minor, "minor");
    REQUIRE(attribute(cudaDevAttrCooperativeLaunch) == p.cooperativeLaunch, "cooperative");
    REQUIRE(attribute(cudaDevAttrConcurrentKernels) == p.concurrentKernels, "concurrent");
    REQUIRE(attribute(cudaDevAttrMemoryPoolsSupported) == p.memoryPoolsSupported, "pools");
    REQUIRE(attribute(cudaDevAttrManagedMemory) == 1, "managed");
    int value;
    EXPECT(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(99999), 0), cudaErrorInvalidValue);
    EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count), cudaErrorInvalidDevice);

    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    REQUIRE(driver >= runtime && runtime >= 12000, "driver %d, runtime %d", driver, runtime);

    char bus[32];
    int found = -1, chosen = -1;
    CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    CHECK(cudaDeviceGetByPCIBusId(&found, bus));
    REQUIRE(found == 0, "%s is device %d", bus, found);
    cudaDeviceProp wish = {};
    wish.major = 3;
    CHECK(cudaChooseDevice(&chosen, &wish));
    REQUIRE(chosen >= 0 && chosen < count, "chosen %d", chosen);
    printf("ok %s, capability %d.%d\n", p.name, p.major, p.minor);
    return 0;
}
