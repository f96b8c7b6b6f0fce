// nvcc: -arch=sm_90
// Blocks of a cluster, which reach each other's shared memory.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Bins of a histogram lie spread over the blocks of a cluster; every block counts into all of them.
extern "C" __global__ void spread_histogram(const int *in, int count, int bins, int *out) {
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        own[i] = 0;
    }
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        int *there = cluster.map_shared_rank(own, in[i] / bins);
        atomicAdd(there + in[i] % bins, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        atomicAdd(out + cluster.block_rank() * bins + i, own[i]);
    }
}

// Values go round the ring of a cluster's blocks, one block further each time.
extern "C" __global__ void __cluster_dims__(2, 2, 1) ring(int *out, int rounds) {
    __shared__ int tile[2][64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned blocks = cluster.num_blocks(), rank = cluster.block_rank();
    tile[0][threadIdx.x] = rank * 1000 + threadIdx.x;
    cluster.sync();
    for (int i = 0; i < rounds; i++) {
        int *next = cluster.map_shared_rank(tile[(i + 1) & 1], (rank + 1) % blocks);
        next[threadIdx.x] = tile[i & 1][threadIdx.x] + 1;
        cluster.sync();
    }
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    out[block * 64 + threadIdx.x] = tile[rounds & 1][threadIdx.x];
}

// One sum for a cluster, by a tree of warps, blocks and the first block.
extern "C" __global__ void cluster_sum(const int *in, long long *out) {
    __shared__ int sums[32];
    __shared__ int total;
    cg::cluster_group cluster = cg::this_cluster();
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0) {
        total = 0;
    }
    int sum = cg::reduce(warp, in[blockIdx.x * blockDim.x + threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0) {
        sums[warp.meta_group_rank()] = sum;
    }
    cluster.sync();
    if (block.thread_rank() == 0) {
        int all = 0;
        for (int i = 0; i < warp.meta_group_size(); i++) {
            all += sums[i];
        }
        atomicAdd(cluster.map_shared_rank(&total, 0), all);
    }
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (cluster.thread_rank() == 0) {
        out[blockIdx.x / cluster.num_blocks()] = total;
    }
}

// What cooperative groups say of the place of a thread.
extern "C" __global__ void places(unsigned *out) {
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
        out[block * 8] = cluster.block_rank();
        out[block * 8 + 1] = cluster.num_blocks();
        out[block * 8 + 2] = cluster.block_index().x;
        out[block * 8 + 3] = cluster.block_index().y;
        out[block * 8 + 4] = cluster.block_index().z;
        out[block * 8 + 5] = cluster.num_threads();
        out[block * 8 + 6] = cluster.query_shared_rank(cluster.map_shared_rank(&value, cluster.num_blocks() - 1));
        out[block * 8 + 7] = cluster.dim_blocks().x * 100 + cluster.dim_blocks().y * 10 + cluster.dim_blocks().z;
    }
}

// Reads what is not there: another rank than the cluster has.
extern "C" __global__ void beyond(int *out, int rank) {
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    value = 1;
    cluster.sync();
    out[blockIdx.x] = *cluster.map_shared_rank(&value, rank);
    cluster.sync();
}
