// nvcc: -arch=sm_75 also=sm_100
// Prefix sums of a warp and of a block.

extern "C" __global__ void warp_inclusive(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int value = in[i];
    for (int offset = 1; offset < 32; offset <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) {
            value += other;
        }
    }
    out[i] = value;
}

extern "C" __global__ void warp_exclusive(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int value = in[i];
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) {
            value += other;
        }
    }
    int before = __shfl_up_sync(0xffffffffu, value, 1);
    out[i] = lane == 0 ? 0 : before;
}

// Shuffles inside warps, then the first warp scans the sums of the warps. Any block size.
extern "C" __global__ void block_inclusive(const int* in, int* out, int n) {
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int warps = (blockDim.x + 31) / 32;
    int value = i < n ? in[i] : 0;
    for (int offset = 1; offset < 32; offset <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) {
            value += other;
        }
    }
    if (lane == 31 || threadIdx.x == blockDim.x - 1) {
        sums[warp] = value;
    }
    __syncthreads();
    if (warp == 0) {
        int sum = lane < warps ? sums[lane] : 0;
        for (int offset = 1; offset < 32; offset <<= 1) {
            int other = __shfl_up_sync(0xffffffffu, sum, offset);
            if (lane >= offset) {
                sum += other;
            }
        }
        if (lane < warps) {
            sums[lane] = sum;
        }
    }
    __syncthreads();
    if (i < n) {
        out[i] = value + (warp > 0 ? sums[warp - 1] : 0);
    }
}

// Hillis and Steele, two buffers in dynamic shared memory.
extern "C" __global__ void shared_inclusive(const int* in, int* out) {
    extern __shared__ int buffers[];
    int t = threadIdx.x;
    int n = blockDim.x;
    int current = 0;
    buffers[t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (int offset = 1; offset < n; offset <<= 1) {
        int value = buffers[current * n + t];
        if (t >= offset) {
            value += buffers[current * n + t - offset];
        }
        current ^= 1;
        buffers[current * n + t] = value;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = buffers[current * n + t];
}

// Blelloch: up-sweep and down-sweep over 2 * blockDim.x elements, a power of two.
extern "C" __global__ void shared_exclusive(const int* in, int* out) {
    extern __shared__ int tree[];
    int t = threadIdx.x;
    int n = 2 * blockDim.x;
    int offset = 1;
    tree[2 * t] = in[blockIdx.x * n + 2 * t];
    tree[2 * t + 1] = in[blockIdx.x * n + 2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
        }
        offset *= 2;
    }
    if (t == 0) {
        tree[n - 1] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            int left = tree[a];
            tree[a] = tree[b];
            tree[b] += left;
        }
    }
    __syncthreads();
    out[blockIdx.x * n + 2 * t] = tree[2 * t];
    out[blockIdx.x * n + 2 * t + 1] = tree[2 * t + 1];
}
