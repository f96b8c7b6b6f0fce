// nvcc: -arch=sm_75
// Kernels that end in an error, and some that nearly do.

#include <cassert>

extern "C" __global__ void good(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < 1 << 20);
    if (i < n) {
        out[i] = in[i] * 2 + 1;
    }
}

extern "C" __global__ void bad_assert(const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        assert(in[i] != 42);
    }
}

extern "C" __global__ void store_at(int* base, long long index, int thread) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == thread) {
        base[index] = 7;
    }
}

extern "C" __global__ void load_at(const int* address, int* out) {
    out[threadIdx.x] = *address;
}

extern "C" __global__ void misaligned(char* base, int offset, int thread) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == thread) {
        *(int*) (base + offset) = 1;
    }
}

extern "C" __global__ void misaligned_vector(float4* base, int offset, float* out) {
    float4 v = *(float4*) ((char*) base + offset);
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

extern "C" __global__ void trap_at(const int* in, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] == value) {
        __trap();
    }
}

extern "C" __global__ void shared_out_of_bounds(int index, int* out) {
    __shared__ int cell[16];
    cell[threadIdx.x & 15] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cell[index];
}

extern "C" __global__ void atomic_at(int* base, long long index) {
    atomicAdd(base + index, 1);
}

// Never ends by itself.
extern "C" __global__ void endless(volatile int* flag) {
    while (*flag == 0) {
    }
}
