// nvcc: -arch=sm_90 also=sm_80
// Brain floats: native add and multiply on sm_90, through fma on sm_80.

#include <cuda_bf16.h>

extern "C" __global__ void bf16_ops(const float* a, const float* b, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat16 x = __float2bfloat16_rn(a[i]);
    __nv_bfloat16 y = __float2bfloat16_rn(b[i]);
    float* o = out + i * 5;
    o[0] = __bfloat162float(x);
    o[1] = __bfloat162float(__hadd(x, y));
    o[2] = __bfloat162float(__hmul(x, y));
    o[3] = __bfloat162float(__hfma(x, y, y));
    o[4] = __hgt(x, y) ? 1.0f : 0.0f;
}

extern "C" __global__ void bf162_ops(const unsigned* a, const unsigned* b, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 x = *(const __nv_bfloat162*) &a[i];
    __nv_bfloat162 y = *(const __nv_bfloat162*) &b[i];
    __nv_bfloat162* o = (__nv_bfloat162*) out + i * 3;
    o[0] = __hadd2(x, y);
    o[1] = __hfma2(x, y, x);
    o[2] = __floats2bfloat162_rn(__low2float(x) * 3.0f, __high2float(y) * 0.3f);
}
