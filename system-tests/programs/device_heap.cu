// malloc, free and new inside kernels; memory that lives from one launch to the next.
#include "check.h"

__device__ int **lists;

__global__ void build(int threads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < threads) {
        int *mine = static_cast<int *>(malloc((i % 50 + 1) * sizeof(int)));
        if (mine != nullptr) {
            for (int k = 0; k <= i % 50; k++) {
                mine[k] = i + k;
            }
        }
        lists[i] = mine;
    }
}

__global__ void sum_up(int threads, unsigned long long *sum, unsigned *missing)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < threads) {
        unsigned long long total = 0;
        if (lists[i] == nullptr) {
            atomicAdd(missing, 1u);
        } else {
            for (int k = 0; k <= i % 50; k++) {
                total += lists[i][k];
            }
            free(lists[i]);
        }
        atomicAdd(sum, total);
    }
}

__global__ void too_much(unsigned *refused)
{
    void *block = malloc(size_t(1) << 40);
    if (block == nullptr) {
        atomicAdd(refused, 1u);
    }
}

int main()
{
    const int threads = 2000;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    size_t heap = 0;
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    REQUIRE(heap >= 16 << 20, "heap of %zu bytes", heap);
    int **table = device_array<int *>(threads);
    CHECK(cudaMemcpyToSymbol(lists, &table, sizeof table, 0, cudaMemcpyHostToDevice));
    unsigned long long *sum = device_array<unsigned long long>(1), total = 0, expected = 0;
    unsigned *missing = device_array<unsigned>(2), counts[2];
    CHECK(cudaMemset(missing, 0, sizeof counts));
    for (int i = 0; i < threads; i++) {
        for (int k = 0; k <= i % 50; k++) {
            expected += i + k;
        }
    }
    for (int round = 0; round < 5; round++) {
        CHECK(cudaMemset(sum, 0, sizeof total));
        build<<<(threads + 127) / 128, 128>>>(threads);
        sum_up<<<(threads + 63) / 64, 64>>>(threads, sum, missing);
        LAUNCHED();
        host_copy(&total, sum, 1);
        REQUIRE(total == expected, "round %d: sum %llu, expected %llu", round, total, expected);
    }
    too_much<<<1, 4>>>(missing + 1);
    LAUNCHED();
    host_copy(counts, missing, 2);
    REQUIRE(counts[0] == 0 && counts[1] == 4, "%u missing, %u refused", counts[0], counts[1]);
    printf("ok 5 rounds\n");
    return 0;
}
