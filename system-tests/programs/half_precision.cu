// Halves: conversion, arithmetic in pairs, comparison with single precision.
#include "check.h"

#include <cuda_fp16.h>

__global__ void blend(const float *a, const float *b, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 2 + 1 < count) {
        half2 left = __floats2half2_rn(a[2 * i], a[2 * i + 1]), right = __floats2half2_rn(b[2 * i], b[2 * i + 1]);
        half2 result = __hfma2(left, right, __float2half2_rn(0.5f));
        out[2 * i] = __low2float(result);
        out[2 * i + 1] = __half2float(__hadd(__high2half(result), __float2half(1.0f)));
    }
}

int main()
{
    const int count = 4096;
    float *a = new float[count], *b = new float[count], *out = new float[count];
    uint32_t seed = 8;
    for (int i = 0; i < count; i++) {
        a[i] = __half2float(__float2half(next_float(seed) * 4 - 2));
        b[i] = __half2float(__float2half(next_float(seed) * 4 - 2));
    }
    float *da = device_copy(a, count), *db = device_copy(b, count), *dout = device_array<float>(count);
    blend<<<count / 2 / 128, 128>>>(da, db, dout, count);
    LAUNCHED();
    host_copy(out, dout, count);
    for (int i = 0; i < count; i++) {
        // Products of halves are exact in double; one rounding as fma does.
        float expected = __half2float(__double2half(static_cast<double>(a[i]) * b[i] + 0.5));
        if (i % 2) {
            expected = __half2float(__float2half(expected + 1.0f));
        }
        REQUIRE(out[i] == expected, "element %d is %g, expected %g", i, out[i], expected);
    }
    printf("ok %d halves\n", count);
    return 0;
}
