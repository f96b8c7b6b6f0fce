// nvcc: -arch=sm_75
// Warp code on volatile shared memory, in the older style, with the barriers that sm_70 asks for.

extern "C" __global__ void volatile_sum(const int* in, int* out) {
    __shared__ volatile int box[1024];
    int t = threadIdx.x;
    int lane = t & 31;
    box[t] = in[blockIdx.x * blockDim.x + t];
    __syncwarp();
    for (int half = 16; half > 0; half >>= 1) {
        int other = lane < half ? box[t + half] : 0;
        __syncwarp();
        if (lane < half) {
            box[t] = box[t] + other;
        }
        __syncwarp();
    }
    out[blockIdx.x * blockDim.x + t] = box[t & ~31];
}

// Lane 0 writes, the others read, again and again; only some lanes take part.
extern "C" __global__ void hand_over(int* out) {
    __shared__ volatile int cell[32];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int sum = 0;
    if (lane < 20) {
        for (int k = 0; k < 20; k++) {
            if (lane == k) {
                cell[warp] = k * 100 + warp;
            }
            __syncwarp(0xfffffu);
            sum = sum * 3 + cell[warp];
            __syncwarp(0xfffffu);
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each warp in its own loop, as long as its number says.
extern "C" __global__ void ragged_warps(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int value = in[i];
    for (int k = 0; k <= warp; k++) {
        value = __shfl_sync(0xffffffffu, value, (lane + 1) & 31) * 3 + k;
    }
    out[i] = value;
}

// A warp that asks for the lanes' values in an order the data chooses.
extern "C" __global__ void gather(const int* in, const int* from, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    double wide = value * 0.5;
    out[2 * i] = __shfl_sync(0xffffffffu, value, from[i]);
    out[2 * i + 1] = (int) (__shfl_sync(0xffffffffu, wide, from[i] & 7, 8) * 4);
}
