#include <cstdio>
__device__ int total = 1000;
static __device__ int calls = 200;
static __device__ __noinline__ int step(int value) { return value * 2 + (calls - 200); }
template <typename T> __device__ __noinline__ T shared_by_both(T value) { return value * 3; }
__device__ __noinline__ int twice(int value) { return step(value); }
extern "C" __global__ void second(int *cells) {
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = total;
    cells[threadIdx.x] = scratch[threadIdx.x] + shared_by_both(10);
    if (threadIdx.x == 0) printf("second %d\n", calls);
}
