// Memory up to the limit and not beyond; what was freed can be had again.
#include "check.h"

#include <vector>

__global__ void touch(char *block, size_t bytes, char value)
{
    block[0] = value;
    block[bytes - 1] = value;
}

size_t take_all(std::vector<char *> &blocks, size_t bytes)
{
    size_t taken = 0;
    char *block;
    while (cudaMalloc(reinterpret_cast<void **>(&block), bytes) == cudaSuccess) {
        blocks.push_back(block);
        taken += bytes;
        REQUIRE(blocks.size() < 100000, "there is no end to it");
    }
    EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
    return taken;
}

int main()
{
    size_t available, total, now;
    CHECK(cudaFree(nullptr));
    CHECK(cudaMemGetInfo(&available, &total));
    const size_t bytes = 16 << 20;
    for (int round = 0; round < 3; round++) {
        std::vector<char *> blocks;
        size_t taken = take_all(blocks, bytes);
        REQUIRE(taken <= total, "%zu bytes of %zu", taken, total);
        REQUIRE(taken + 2 * bytes >= available, "only %zu bytes of %zu", taken, available);
        touch<<<1, 1>>>(blocks.front(), bytes, 1);
        touch<<<1, 1>>>(blocks.back(), bytes, 2);
        LAUNCHED();
        CHECK(cudaDeviceSynchronize());
        for (char *block : blocks) {
            CHECK(cudaFree(block));
        }
        CHECK(cudaMemGetInfo(&now, &total));
        REQUIRE(now == available, "%zu bytes, then %zu", available, now);
    }
    // All in one piece.
    char *all;
    CHECK(cudaMalloc(reinterpret_cast<void **>(&all), available / 2));
    CHECK(cudaFree(all));
    void *managed;
    EXPECT(cudaMallocManaged(&managed, total + bytes, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
    cudaGetLastError();
    printf("ok three rounds\n");
    return 0;
}
