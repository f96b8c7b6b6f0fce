// nvcc: -arch=sm_75
// Half precision: arithmetic, pairs, comparisons, conversions.

#include <cuda_fp16.h>

extern "C" __global__ void half_ops(const float* a, const float* b, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half x = __float2half_rn(a[i]);
    __half y = __float2half_rn(b[i]);
    float* o = out + i * 8;
    o[0] = __half2float(x);
    o[1] = __half2float(__hadd(x, y));
    o[2] = __half2float(__hsub(x, y));
    o[3] = __half2float(__hmul(x, y));
    o[4] = __half2float(__hfma(x, y, x));
    o[5] = __half2float(__hneg(x));
    o[6] = __hlt(x, y) ? 1.0f : 0.0f;
    o[7] = __half2float(__hdiv(x, y));
}

extern "C" __global__ void half2_ops(const unsigned* a, const unsigned* b, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 x = *(const __half2*) &a[i];
    __half2 y = *(const __half2*) &b[i];
    __half2* o = (__half2*) out + i * 4;
    o[0] = __hadd2(x, y);
    o[1] = __hmul2(x, y);
    o[2] = __hfma2(x, y, x);
    o[3] = __lowhigh2highlow(x);
}

extern "C" __global__ void half_bits(const float* in, unsigned short* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[3 * i] = __half_as_ushort(__float2half_rn(in[i]));
    out[3 * i + 1] = __half_as_ushort(__float2half_rz(in[i]));
    out[3 * i + 2] = __half_as_ushort(__int2half_rn((int) in[i]));
}

// Adds in half, so the order matters; one thread a row.
extern "C" __global__ void half_dot(const __half* a, const __half* b, float* out, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half sum = __float2half(0.0f);
    for (int k = 0; k < length; k++) {
        sum = __hfma(a[i * length + k], b[i * length + k], sum);
    }
    out[i] = __half2float(sum);
}
