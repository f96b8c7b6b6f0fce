// Kernels of the driver API programs. Compiled to kernels.ptx by `compile`, so that machines without
// nvcc have them.
#include <cooperative_groups.h>
#include <cstdio>

extern "C" {

__device__ int factor = 3;
__constant__ int offsets[4] = {1, 10, 100, 1000};
__managed__ int launches;

__global__ void add(const float *a, const float *b, float *c, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        c[i] = a[i] + b[i];
    }
}

__global__ void scale(int *data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = data[i] * factor + offsets[i % 4];
    }
}

__global__ void store(int *to, int value) { *to = value; }

__global__ void step(unsigned *value, unsigned number) { *value = *value * 31 + number; }

__global__ void count_launch() { launches++; }

__global__ void wait_for(volatile int *flag) {
    while (*flag == 0) {
    }
}

__global__ void reverse(int *data, int count) {
    extern __shared__ int memory[];
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        memory[i] = data[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        data[i] = memory[count - 1 - i];
    }
}

__global__ void __launch_bounds__(64) rotate(int *data) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), value = data[(i + 1) % grid.size()];
    grid.sync();
    data[i] = value;
}

__global__ void greet(int number) { printf("kernel %d says hello\n", number); }
}
