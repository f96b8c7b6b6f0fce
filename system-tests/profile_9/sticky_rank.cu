// A block that reaches for one that its cluster does not have ends its context, and nobody else's.
// forms: shared static
#include "../programs/check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) reach(int *out, int rank, int offset)
{
    __shared__ int values[64];
    cg::cluster_group cluster = cg::this_cluster();
    values[threadIdx.x] = threadIdx.x;
    cluster.sync();
    out[threadIdx.x] = cluster.map_shared_rank(values, rank)[offset];
    cluster.sync();
}

int main()
{
    int *data = device_array<int>(64);
    reach<<<8, 64>>>(data, 3, 63);
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
    reach<<<8, 64>>>(data, 3, 64 + (1 << 22)); // the next rank, had the cluster one
    LAUNCHED();
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT(cudaMalloc(&data, 16), cudaErrorIllegalAddress);
    printf("ok illegal rank\n");
    return 0;
}
