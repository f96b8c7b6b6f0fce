// nvcc: -arch=sm_75
// Threads that fail asserts, and threads that go on beside them.

#include <cassert>

extern "C" __global__ void below(int most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < most);
}

// What waits at a barrier goes on without those that failed, and may fail there.
extern "C" __global__ void around_barrier(int* out) {
    __shared__ int seen[64];
    seen[threadIdx.x] = 0;
    assert(threadIdx.x % 8 != 3);
    seen[threadIdx.x] = 1;
    __syncthreads();
    assert(seen[(threadIdx.x + 1) % 64] == 1);
    out[threadIdx.x] = 1;
}

__device__ __noinline__ int half_of(int number) {
    assert(number % 2 == 0);
    return number / 2;
}

extern "C" __global__ void in_function(int* out) {
    out[threadIdx.x] = half_of(threadIdx.x * threadIdx.x);
}

// All others wait for ever for a thread that failed.
extern "C" __global__ void waited_for(volatile int* flag) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        assert(flag == nullptr);
        *flag = 1;
    }
    while (*flag == 0) {
    }
}

// Computes for ever beside it.
extern "C" __global__ void endless(int* out) {
    assert(threadIdx.x != 0);
    unsigned value = threadIdx.x;
    for (unsigned long long i = 0; i < 1ull << 60; i++) {
        value = value * 1664525u + 1013904223u;
        if (value == 0) {
            out[0]++;
        }
    }
    out[threadIdx.x] = value;
}
