// nvcc: -arch=sm_75 -std=c++17
// Cooperative groups inside a block.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void block_group(const int* in, int* out) {
    extern __shared__ int box[];
    cg::thread_block block = cg::this_thread_block();
    int rank = block.thread_rank();
    int size = block.size();
    int at = block.group_index().x * size;
    box[rank] = in[at + rank];
    block.sync();
    out[at + rank] = box[size - 1 - rank] + block.thread_index().x;
}

template <int SIZE>
__device__ void tile_sum(const int* in, int* out, int* leaders) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
        value += tile.shfl_xor(value, offset);
    }
    out[i] = value;
    leaders[i] = tile.shfl(i, 0) + tile.thread_rank() * 1000000;
}

extern "C" __global__ void tile_32(const int* in, int* out, int* leaders) {
    tile_sum<32>(in, out, leaders);
}

extern "C" __global__ void tile_16(const int* in, int* out, int* leaders) {
    tile_sum<16>(in, out, leaders);
}

extern "C" __global__ void tile_8(const int* in, int* out, int* leaders) {
    tile_sum<8>(in, out, leaders);
}

// Half of the tiles do something else: the masks of the tiles in a warp differ.
extern "C" __global__ void tile_divergent(const int* in, int* out) {
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    if (tile.meta_group_rank() & 1) {
        out[i] = tile.any(v > 90) * 2 + tile.all(v > 10);
    } else {
        out[i] = (int) tile.ballot(v & 1) + tile.shfl_down(0, 1);
    }
}

// The threads that took the branch form a group; the ranks are dense.
extern "C" __global__ void coalesced(const int* in, int* out, int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0) {
            base = atomicAdd(counter, (int) active.size());
        }
        base = active.shfl(base, 0);
        out[base + active.thread_rank()] = in[i];
    }
}
