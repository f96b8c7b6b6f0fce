// f16, bf16 and their pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(__half *h, __half2 *pairs, __nv_bfloat16 *b, float *f) {
    int i = threadIdx.x;
    __half x = h[i];
    x = __hfma(x, x, __float2half(1.5f));
    x = __hadd(x, hsqrt(x));
    x = __hgt(x, h[i + 1]) ? hexp(x) : __hmax(x, h[i + 2]);
    h[i] = x;
    __half2 p = pairs[i];
    p = __hfma2(p, p, __float2half2_rn(0.25f));
    p = __hmin2(p, __lowhigh2highlow(p));
    pairs[i] = __hadd2_sat(p, p);
    __nv_bfloat16 y = b[i];
    y = __hmul(y, __float2bfloat16(3.0f));
    b[i] = y;
    f[i] = __half2float(x) + __bfloat162float(y) + __half2float(__ushort2half_rn(i));
}
