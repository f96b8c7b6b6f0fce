// Votes, shuffles, matches, in whole warps and in parts of them.
#include "check.h"

__global__ void operate(unsigned *out)
{
    unsigned lane = threadIdx.x % 32, *mine = out + threadIdx.x * 10;
    mine[0] = __ballot_sync(~0u, lane % 3 == 0);
    mine[1] = __any_sync(~0u, lane == 17) * 2 + __all_sync(~0u, lane < 32);
    mine[2] = __shfl_sync(~0u, lane * lane, 5);
    mine[3] = __shfl_up_sync(~0u, lane, 3);
    mine[4] = __shfl_xor_sync(~0u, lane, 9);
    mine[5] = __shfl_down_sync(~0u, lane, 2, 8);
    mine[6] = __match_any_sync(~0u, lane / 4);
    int same;
    mine[7] = __match_all_sync(~0u, threadIdx.x / 32, &same);
    mine[7] += same ? 0 : 1;
    if (lane < 12) { // a part of the warp
        mine[8] = __ballot_sync(0xfffu, lane & 1);
        __syncwarp(0xfffu);
    } else {
        mine[8] = __ballot_sync(0xfffff000u, lane & 2);
    }
    unsigned sum = lane + 1;
    for (int step = 1; step < 32; step *= 2) {
        unsigned other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) {
            sum += other;
        }
    }
    mine[9] = sum;
}

int main()
{
    const int threads = 96;
    unsigned *device = device_array<unsigned>(threads * 10), out[threads * 10];
    operate<<<1, threads>>>(device);
    LAUNCHED();
    host_copy(out, device, threads * 10);
    for (unsigned t = 0; t < threads; t++) {
        unsigned lane = t % 32, part = 0;
        for (unsigned l = lane < 12 ? 0 : 12; l < (lane < 12 ? 12 : 32); l++) {
            part |= (lane < 12 ? l & 1 : l >> 1 & 1) << l;
        }
        const unsigned expected[10] = {0x49249249,           3,   25,   lane < 3 ? lane : lane - 3, lane ^ 9, lane % 8 < 6 ? lane + 2 : lane,
                                       0xfu << lane / 4 * 4, ~0u, part, (lane + 1) * (lane + 2) / 2};
        for (int k = 0; k < 10; k++) {
            REQUIRE(out[t * 10 + k] == expected[k], "thread %u, operation %d: %08x, expected %08x", t, k, out[t * 10 + k], expected[k]);
        }
    }
    printf("ok 10 operations\n");
    return 0;
}
