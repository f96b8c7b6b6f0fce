// Cooperative groups, warp operations and asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *out, int count) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int sum = 0;
    for (int i = block.thread_rank(); i < count; i += block.size()) {
        sum += in[i];
    }
    sum = cg::reduce(warp, sum, cg::plus<int>());
    if (warp.thread_rank() == 0) {
        atomicAdd(out, sum);
    }
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) {
        atomicMax(out + 1, active.size());
    }
}

__global__ void phases(float *data) {
    cg::grid_group grid = cg::this_grid();
    data[grid.thread_rank()] += 1;
    grid.sync();
    data[grid.thread_rank()] += data[grid.size() - 1 - grid.thread_rank()];
}

__global__ void staged(const float4 *in, float4 *out) {
    __shared__ float4 tile[128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof(tile));
    cg::wait(block);
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

__global__ void votes(unsigned *out, int bound) {
    unsigned mask = __ballot_sync(~0u, threadIdx.x < bound);
    unsigned same = __match_any_sync(~0u, threadIdx.x % 5);
    int all;
    unsigned every = __match_all_sync(~0u, bound, &all);
    int moved = __shfl_xor_sync(~0u, bound + threadIdx.x, 3);
    moved += __shfl_up_sync(~0u, moved, 1, 16) + __shfl_sync(~0u, moved, 7);
    out[threadIdx.x] = mask + same + every + all + moved + __popc(__activemask())
            + __any_sync(~0u, moved) + __all_sync(~0u, moved) + __syncthreads_or(moved)
            + __syncthreads_count(moved > 3);
}
