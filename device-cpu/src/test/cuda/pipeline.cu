// nvcc: -arch=sm_80 -std=c++17 also=sm_90
// Copies that run beside the threads: cuda::barrier, cuda::pipeline and cooperative groups.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

// Each block sums its part of the input, tile after tile; two tiles are under way at a time.
extern "C" __global__ void sum_pipeline(const int *in, long long *out, int tiles) {
    constexpr int stages = 2;
    extern __shared__ int memory[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int size = block.size();
    const int *mine = in + (size_t) blockIdx.x * tiles * size;
    long long sum = 0;
    for (int next = 0, done = 0; done < tiles; done++) {
        for (; next < tiles && next < done + stages; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, memory + next % stages * size, mine + next * size, sizeof(int) * size, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        block.sync();
        sum += memory[done % stages * size + (threadIdx.x + 1) % size];
        block.sync();
        pipe.consumer_release();
    }
    atomicAdd((unsigned long long *) out, (unsigned long long) sum);
}

extern "C" __global__ void reverse_barrier(const int *in, int *out) {
    extern __shared__ int memory[];
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(barrier) unsigned char raw[sizeof(barrier)];
    barrier *ready = reinterpret_cast<barrier *>(raw);
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) {
        init(ready, block.size());
    }
    block.sync();
    const int *mine = in + blockIdx.x * block.size();
    cuda::memcpy_async(block, memory, mine, cuda::aligned_size_t<16>(sizeof(int) * block.size()), *ready);
    ready->arrive_and_wait();
    out[blockIdx.x * block.size() + threadIdx.x] = memory[block.size() - 1 - threadIdx.x];
}

extern "C" __global__ void reverse_groups(const int *in, int *out) {
    extern __shared__ int memory[];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int start = warp.meta_group_rank() * 32;
    const int *mine = in + blockIdx.x * block.size();
    cg::memcpy_async(warp, memory + start, mine + start, sizeof(int) * 32);
    cg::wait(warp);
    cg::memcpy_async(block, memory + block.size(), mine, sizeof(int) * block.size());
    cg::wait(block);
    int at = block.size() - 1 - threadIdx.x;
    out[blockIdx.x * block.size() + threadIdx.x] = memory[at] + memory[block.size() + at];
}
