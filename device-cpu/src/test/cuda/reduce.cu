// nvcc: -arch=sm_75 also=sm_100
// Sums with shuffles: full warps, partial masks, and a block in two steps.

extern "C" __global__ void warp_sum(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    for (int offset = 16; offset > 0; offset >>= 1) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    if ((threadIdx.x & 31) == 0 && i < n) {
        out[i >> 5] = value;
    }
}

// The butterfly adds in a fixed order, so every lane gets the same bits.
extern "C" __global__ void warp_sum_float(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    out[i] = value;
}

// Only lanes below n take part; the mask says so. A lane reads no lane outside the mask.
extern "C" __global__ void masked_sum(const int* in, int* out, int n) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(__activemask(), i < n);
    if (i < n) {
        int value = in[i];
        int lane = i & 31;
        for (int offset = 16; offset > 0; offset >>= 1) {
            int other = __shfl_down_sync(mask, value, offset);
            if (lane + offset < 32 && (mask >> (lane + offset) & 1)) {
                value += other;
            }
        }
        if (lane == 0) {
            out[i >> 5] = value;
        }
    }
}

// Odd and even lanes reduce apart from each other in a divergent branch.
extern "C" __global__ void odd_even_sum(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    if (i & 1) {
        for (int offset = 16; offset > 1; offset >>= 1) {
            value += __shfl_xor_sync(0xaaaaaaaau, value, offset);
        }
        value = -value;
    } else {
        for (int offset = 16; offset > 1; offset >>= 1) {
            value += __shfl_xor_sync(0x55555555u, value, offset);
        }
    }
    out[i] = value;
}

extern "C" __global__ void segment_sum(const int* in, int* out, int* broadcast) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    for (int offset = 4; offset > 0; offset >>= 1) {
        value += __shfl_down_sync(0xffffffffu, value, offset, 8);
    }
    out[i] = value;
    broadcast[i] = __shfl_sync(0xffffffffu, value, 0, 8);
}

extern "C" __global__ void block_sum(const long long* in, long long* out, int n) {
    __shared__ long long partial[32];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    long long value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        value += in[i];
    }
    int inWarp = min(32, (int) blockDim.x - warp * 32);
    unsigned mask = inWarp == 32 ? 0xffffffffu : (1u << inWarp) - 1;
    for (int offset = 16; offset > 0; offset >>= 1) {
        long long other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < inWarp) {
            value += other;
        }
    }
    if (lane == 0) {
        partial[warp] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        long long sum = 0;
        for (int w = 0; w < (blockDim.x + 31) / 32; w++) {
            sum += partial[w];
        }
        out[blockIdx.x] = sum;
    }
}

// Halving in shared memory; blockDim.x is a power of two. The order is fixed: exact for floats.
extern "C" __global__ void shared_sum(const float* in, float* out) {
    extern __shared__ float tree[];
    tree[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) {
            tree[threadIdx.x] += tree[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = tree[0];
    }
}
