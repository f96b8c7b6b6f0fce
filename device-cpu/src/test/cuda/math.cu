// nvcc: -arch=sm_75
// Functions of the math library, inlined by the compiler, and of the special function unit.

extern "C" __global__ void math_double(const double* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double v = in[i];
        double* o = out + i * 10;
        o[0] = exp(v);
        o[1] = log(fabs(v) + 1e-3);
        o[2] = sin(v);
        o[3] = cos(v);
        o[4] = tanh(v);
        o[5] = atan(v);
        o[6] = cbrt(v);
        o[7] = pow(fabs(v) + 0.5, 1.75);
        o[8] = hypot(v, 2.0);
        o[9] = 1.0 / sqrt(fabs(v) + 1.0);
    }
}

extern "C" __global__ void math_float(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        float* o = out + i * 10;
        o[0] = expf(v);
        o[1] = logf(fabsf(v) + 1e-3f);
        o[2] = sinf(v);
        o[3] = cosf(v);
        o[4] = tanhf(v);
        o[5] = atanf(v);
        o[6] = cbrtf(v);
        o[7] = powf(fabsf(v) + 0.5f, 1.75f);
        o[8] = exp2f(v);
        o[9] = log2f(fabsf(v) + 0.25f);
    }
}

// Approximations: ex2, lg2, sin, cos, rcp, rsqrt, and the fast division.
extern "C" __global__ void math_fast(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        float* o = out + i * 7;
        o[0] = __expf(v);
        o[1] = __logf(fabsf(v) + 1.5f);
        o[2] = __sinf(v);
        o[3] = __cosf(v);
        o[4] = __fdividef(1.0f, fabsf(v) + 1.0f);
        o[5] = rsqrtf(fabsf(v) + 1.0f);
        asm("sqrt.approx.f32 %0, %1;" : "=f"(o[6]) : "f"(fabsf(v) + 1.0f));
    }
}

// Correctly rounded: exact.
extern "C" __global__ void math_exact(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float* o = out + i * 10;
        o[0] = __fdiv_rn(a[i], b[i]);
        o[1] = __fsqrt_rn(fabsf(a[i]));
        o[2] = __frcp_rn(b[i]);
        o[3] = fmaf(a[i], b[i], 1.0f);
        o[4] = fminf(a[i], b[i]);
        o[5] = fmaxf(a[i], b[i]);
        o[6] = truncf(a[i]);
        o[7] = copysignf(a[i], b[i]);
        o[8] = __saturatef(a[i]);
        o[9] = rintf(a[i]);
    }
}
