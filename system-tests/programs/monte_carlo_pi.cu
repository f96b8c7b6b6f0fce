// Pi by throwing points: a generator a thread, counted by votes of the warp.
#include "check.h"

__host__ __device__ inline uint32_t start(uint32_t thread)
{
    uint32_t h = (thread + 1) * 0x9e3779b9u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    return h ^ (h >> 13) | 1;
}

__host__ __device__ inline bool inside(uint32_t &state)
{
    uint32_t r[2];
    for (int i = 0; i < 2; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        r[i] = state >> 17;
    }
    return r[0] * r[0] + r[1] * r[1] < (1u << 30);
}

__global__ void throw_points(unsigned long long *hits, int each)
{
    uint32_t state = start(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned mine = 0;
    for (int i = 0; i < each; i++) {
        mine += __popc(__ballot_sync(0xffffffffu, inside(state)));
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(hits, static_cast<unsigned long long>(mine));
    }
}

int main()
{
    const int blocks = 16, block = 128, each = 200;
    unsigned long long *device = device_array<unsigned long long>(1), hits, expected = 0;
    CHECK(cudaMemset(device, 0, sizeof hits));
    throw_points<<<blocks, block>>>(device, each);
    LAUNCHED();
    host_copy(&hits, device, 1);
    for (int thread = 0; thread < blocks * block; thread++) {
        uint32_t state = start(thread);
        for (int i = 0; i < each; i++) {
            expected += inside(state);
        }
    }
    REQUIRE(hits == expected, "%llu hits, expected %llu", hits, expected);
    double pi = 4.0 * hits / (1.0 * blocks * block * each);
    REQUIRE(fabs(pi - 3.14159265) < 0.02, "pi is %f", pi);
    printf("ok pi is about %.4f\n", pi);
    return 0;
}
