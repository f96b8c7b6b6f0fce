// nvcc: -arch=sm_75 also=sm_100
// 64 values of each thread stay in registers across barriers.

#define LIVE 64

extern "C" __global__ void live_across(const int* in, int* out, int rounds) {
    extern __shared__ int box[];
    int t = threadIdx.x;
    int n = blockDim.x;
    int i = blockIdx.x * n + t;
    int v[LIVE];
#pragma unroll
    for (int k = 0; k < LIVE; k++) {
        v[k] = in[i] * (k + 1) + k;
    }
    for (int round = 0; round < rounds; round++) {
        box[t] = v[0];
        __syncthreads();
        int other = box[(t + 1) % n];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < LIVE - 1; k++) {
            v[k] = v[k + 1] ^ (v[k] >> 3);
        }
        v[LIVE - 1] = other;
    }
#pragma unroll
    for (int k = 0; k < LIVE; k++) {
        out[i * LIVE + k] = v[k];
    }
}

// The same with floats and doubles, and shuffles as the barriers.
extern "C" __global__ void live_across_shuffles(const float* in, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float f[16];
    double d[16];
#pragma unroll
    for (int k = 0; k < 16; k++) {
        f[k] = in[i] + k;
        d[k] = in[i] * (double) (k + 1);
    }
#pragma unroll
    for (int k = 0; k < 16; k++) {
        float got = __shfl_xor_sync(0xffffffffu, f[k], k + 1);
        d[(k + 5) & 15] += got;
        f[(k + 3) & 15] -= got;
    }
    double sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        sum = (sum + d[k]) + f[k];
    }
    out[i] = sum;
}
