// nvcc: -arch=sm_75 -std=c++17
// A cooperative launch: all blocks meet.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Jacobi iterations over the whole grid, two buffers.
extern "C" __global__ void jacobi(int* a, int* b, int n, int iterations) {
    cg::grid_group grid = cg::this_grid();
    int* from = a;
    int* to = b;
    for (int k = 0; k < iterations; k++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            int left = i > 0 ? from[i - 1] : 0;
            int right = i + 1 < n ? from[i + 1] : 0;
            to[i] = left + right - from[i];
        }
        grid.sync();
        int* swap = from;
        from = to;
        to = swap;
    }
}

extern "C" __global__ void grid_sum(const int* in, int n, int* partial, int* out) {
    __shared__ int sum;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
        atomicAdd(&sum, in[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) {
            total += partial[b];
        }
        *out = total;
    }
    grid.sync();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = *(volatile int*) out - partial[blockIdx.x];
    }
}
