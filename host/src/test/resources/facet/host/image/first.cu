#include <cstdio>
extern __device__ int total;
extern __device__ int twice(int value);
static __device__ int calls = 100;
static __device__ __noinline__ int step(int value) { return value + atomicAdd(&calls, 1) * 0 + 1; }
template <typename T> __device__ __noinline__ T shared_by_both(T value) { return value * 3; }
__device__ int (*chosen)(int) = twice;
extern "C" __global__ void first(int *cells) {
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = step(threadIdx.x);
    __syncthreads();
    cells[threadIdx.x] = twice(scratch[threadIdx.x]) + shared_by_both(1) + chosen(0);
    atomicAdd(&total, 1);
    if (threadIdx.x == 0) printf("first %d\n", calls);
}
