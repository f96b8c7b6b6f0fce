// What kernels say of themselves; occupancy and block sizes that follow from it.
// forms: shared static
#include "check.h"

__global__ void plain(int *data)
{
    data[threadIdx.x] = threadIdx.x;
}

__global__ void __launch_bounds__(128) bounded(int *data)
{
    __shared__ int memory[1000];
    memory[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = memory[127 - threadIdx.x] + memory[999 - threadIdx.x] * 0;
}

__global__ void uses_dynamic(int *data)
{
    extern __shared__ int memory[];
    memory[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

__global__ void __maxnreg__(24) few_registers(float *data)
{
    float values[40], sum = 0;
    for (int i = 0; i < 40; i++) {
        values[i] = data[threadIdx.x * 40 + i];
    }
    for (int i = 0; i < 40; i++) {
        sum += values[i] * values[39 - i] + sqrtf(values[(i * 7) % 40]);
    }
    data[threadIdx.x] = sum;
}

__constant__ int table[24];

__global__ void __launch_bounds__(32) reads_constants(int *data)
{
    data[threadIdx.x] = table[threadIdx.x % 24];
}

// Registers are an estimate; that blocks which fit together have enough of them is none.
static void registers()
{
    cudaFuncAttributes plain_ones, few;
    CHECK(cudaFuncGetAttributes(&plain_ones, plain));
    CHECK(cudaFuncGetAttributes(&few, few_registers));
    REQUIRE(plain_ones.numRegs >= 8 && plain_ones.numRegs <= 16, "plain: %d registers", plain_ones.numRegs);
    REQUIRE(few.numRegs > plain_ones.numRegs && few.numRegs <= 24, "few: %d registers", few.numRegs);
    int all = 0, blocks = 0;
    CHECK(cudaDeviceGetAttribute(&all, cudaDevAttrMaxRegistersPerMultiprocessor, 0));
    for (int threads : {32, 100, 256, 1024}) {
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, few_registers, threads, 0));
        REQUIRE(blocks >= 1 && blocks * ((threads + 31) / 32 * 32) * few.numRegs <= all, "%d blocks of %d threads", blocks, threads);
    }
}

int main()
{
    registers();
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, plain));
    REQUIRE(a.maxThreadsPerBlock == 1024 && a.sharedSizeBytes == 0, "plain: %d threads, %zu bytes", a.maxThreadsPerBlock, a.sharedSizeBytes);
    REQUIRE(a.ptxVersion == 75 && a.binaryVersion >= 75 && a.numRegs > 0, "plain: PTX %d, binary %d, %d registers", a.ptxVersion, a.binaryVersion,
            a.numRegs);
    CHECK(cudaFuncGetAttributes(&a, bounded));
    REQUIRE(a.maxThreadsPerBlock == 128 && a.sharedSizeBytes == 4000, "bounded: %d threads, %zu bytes", a.maxThreadsPerBlock, a.sharedSizeBytes);
    REQUIRE(a.constSizeBytes == 0, "bounded: %zu bytes of constants", a.constSizeBytes);
    CHECK(cudaFuncGetAttributes(&a, reads_constants));
    REQUIRE(a.constSizeBytes == sizeof table, "%zu bytes of constants", a.constSizeBytes);
    CHECK(cudaFuncSetAttribute(uses_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    CHECK(cudaFuncGetAttributes(&a, uses_dynamic));
    REQUIRE(a.maxDynamicSharedSizeBytes == 60000, "dynamic: %d bytes", a.maxDynamicSharedSizeBytes);
    CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    CHECK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
    EXPECT(cudaFuncGetAttributes(&a, reinterpret_cast<const void *>(&a)), cudaErrorInvalidDeviceFunction);
    EXPECT(cudaGetLastError(), cudaErrorInvalidDeviceFunction);

    int *data = device_array<int>(1024);
    bounded<<<1, 128>>>(data);
    LAUNCHED();
    bounded<<<1, 256>>>(data); // more than its bound
    REQUIRE(cudaGetLastError() != cudaSuccess, "a launch beyond its bound went through");
    CHECK(cudaDeviceSynchronize());

    int blocks = 0, smaller = 0, least = 0, size = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
    REQUIRE(blocks >= 1 && blocks <= 32, "%d blocks of 256", blocks);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&smaller, uses_dynamic, 256, 40000));
    REQUIRE(smaller >= 1 && smaller <= blocks, "%d blocks with 40,000 bytes", smaller);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, bounded));
    REQUIRE(size > 0 && size <= 128 && least >= 1, "size %d, %d blocks", size, least);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, plain));
    REQUIRE(size % 32 == 0 && size >= 32 && size <= 1024, "size %d", size);
    size_t room = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, plain, 1, 64));
    REQUIRE(room > 0, "no dynamic shared memory");
    printf("ok attributes\n");
    return 0;
}
