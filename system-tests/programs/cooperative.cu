// Grid synchronisation: every block sees what every other wrote; grids that do not fit are refused.
#include "check.h"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

__global__ void smooth(unsigned *from, unsigned *to, int count, int rounds)
{
    groups::grid_group grid = groups::this_grid();
    for (int r = 0; r < rounds; r++) {
        for (int i = grid.thread_rank(); i < count; i += grid.size()) {
            to[i] = from[(i + 1) % count] + from[(i + count - 1) % count];
        }
        grid.sync();
        unsigned *swap = from;
        from = to;
        to = swap;
    }
}

int main()
{
    int supported = 0, processors = 0, each = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    REQUIRE(supported == 1, "cooperative launches are not supported");
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, reinterpret_cast<const void *>(smooth), 128, 0));
    int blocks = processors * each < 8 ? processors * each : 8, count = 3001, rounds = 20;
    unsigned *host = new unsigned[count], *other = new unsigned[count];
    uint32_t seed = 4;
    for (int i = 0; i < count; i++) {
        host[i] = next_random(seed);
    }
    unsigned *a = device_copy(host, count), *b = device_array<unsigned>(count);
    void *arguments[] = {&a, &b, &count, &rounds};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(smooth), dim3(blocks), dim3(128), arguments, 0, 0));
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < count; i++) {
            other[i] = host[(i + 1) % count] + host[(i + count - 1) % count];
        }
        unsigned *swap = host;
        host = other;
        other = swap;
    }
    host_copy(other, a, count); // an even number of rounds ends in a
    for (int i = 0; i < count; i++) {
        REQUIRE(other[i] == host[i], "element %d is %u, expected %u", i, other[i], host[i]);
    }
    EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(smooth), dim3(1000000), dim3(1024), arguments, 0, 0),
           cudaErrorCooperativeLaunchTooLarge);
    EXPECT(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaDeviceSynchronize()); // not a fault of the context
    printf("ok %d rounds\n", rounds);
    return 0;
}
