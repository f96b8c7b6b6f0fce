// Memory taken and given back in the order of a stream, and pools.
// forms: shared static
#include "check.h"

__global__ void fill(int *data, int count, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = value + i;
    }
}

int main()
{
    const int count = 50000;
    const size_t bytes = count * sizeof(int);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int *host = new int[count];
    for (int round = 0; round < 20; round++) {
        int *data, *other;
        CHECK(cudaMallocAsync(&data, bytes, stream));
        CHECK(cudaMallocAsync(&other, bytes, stream));
        REQUIRE(data != other, "the same memory twice");
        fill<<<(count + 255) / 256, 256, 0, stream>>>(data, count, round);
        LAUNCHED();
        CHECK(cudaMemcpyAsync(other, data, bytes, cudaMemcpyDeviceToDevice, stream));
        CHECK(cudaFreeAsync(data, stream));
        CHECK(cudaMemcpyAsync(host, other, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(other, stream));
        CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < count; i++) {
            REQUIRE(host[i] == round + i, "round %d: element %d is %d", round, i, host[i]);
        }
    }

    cudaMemPool_t pool, created;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    uint64_t threshold = 1, used = 1;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    REQUIRE(threshold == 0, "threshold %llu", static_cast<unsigned long long>(threshold));
    threshold = 1 << 20;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    threshold = 0;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    REQUIRE(threshold == 1 << 20, "threshold %llu", static_cast<unsigned long long>(threshold));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    REQUIRE(used == 0, "%llu bytes in use", static_cast<unsigned long long>(used));
    CHECK(cudaMemPoolTrimTo(pool, 0));

    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    CHECK(cudaMemPoolCreate(&created, &properties));
    int *data;
    CHECK(cudaMallocFromPoolAsync(&data, bytes, created, stream));
    fill<<<(count + 255) / 256, 256, 0, stream>>>(data, count, 9);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(host[count - 1] == 9 + count - 1, "last element %d", host[count - 1]);
    CHECK(cudaMemPoolGetAttribute(created, cudaMemPoolAttrUsedMemCurrent, &used));
    REQUIRE(used >= bytes, "%llu bytes in use", static_cast<unsigned long long>(used));
    CHECK(cudaFreeAsync(data, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemPoolDestroy(created));
    CHECK(cudaStreamDestroy(stream));
    printf("ok 20 rounds\n");
    return 0;
}
