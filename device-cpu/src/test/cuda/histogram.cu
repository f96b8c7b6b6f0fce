// nvcc: -arch=sm_75
// Counting with atomics on global and on shared memory.

extern "C" __global__ void histogram_global(const unsigned char* in, int n, unsigned* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[in[i]], 1u);
    }
}

extern "C" __global__ void histogram_shared(const unsigned char* in, int n, unsigned* bins) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        local[b] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[in[i]], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        if (local[b] != 0) {
            atomicAdd(&bins[b], local[b]);
        }
    }
}

// One atomic for all lanes of a warp that count the same value.
extern "C" __global__ void histogram_aggregated(const unsigned char* in, int n, unsigned* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned active = __activemask();
        int bin = in[i];
        unsigned same = __match_any_sync(active, bin);
        if (__ffs(same) - 1 == (threadIdx.x & 31)) {
            atomicAdd(&bins[bin], (unsigned) __popc(same));
        }
    }
}
