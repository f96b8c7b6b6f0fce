// Arithmetic: conversions, division, rounding modes, wide products, bits, transcendental functions.
__global__ void integers(long long *out, int a, unsigned b, long long c, unsigned long long d) {
    out[0] = a / 7 + a % 7 + b / 9u + b % 9u + c / 11 + c % 11 + (long long)(d / 13 + d % 13);
    out[1] = (long long)a * a + __mul24(a, a) + __mulhi(a, a) + __umulhi(b, b) + __mul64hi(c, c);
    out[2] = __popc(b) + __popcll(d) + __clz(a) + __clzll(c) + __ffs(a) + __brev(b) + __brevll(d);
    out[3] = __byte_perm(a, b, 0x3210) + __funnelshift_l(a, b, 5) + __funnelshift_rc(a, b, 37);
    out[4] = __sad(a, a + 1, b) + __dp4a(a, a, a) + max(a, 3) + min(b, 5u) + abs(a) + llabs(c);
    out[5] = (a << 3) ^ (a >> 2) | (b >> 4) & ~a + (c << a) + (d >> 7);
    out[6] = __vadd4(a, b) + __vabsdiffu4(a, b) + __vmaxs2(a, b) + __hadd(a, a) + __rhadd(a, a);
    out[7] = (char)a + (short)b + (unsigned char)c + (signed char)d;
    switch (a) {
    case 0: out[8] = 5; break;
    case 1: out[9] = 7; break;
    case 2: out[8] = c; break;
    case 3: out[9] = d; break;
    case 4: out[10] = 1; break;
    case 5: out[11] = a * c; break;
    default: out[8] = -1;
    }
}

__global__ void floats(float *f, double *d, int a, long long c) {
    float x = f[0];
    double y = d[0];
    f[1] = x / 3 + sqrtf(x) + rsqrtf(x) + __fdividef(x, 7) + __frcp_rn(x) + fmodf(x, 2.5f);
    f[2] = sinf(x) + cosf(x) + tanf(x) + expf(x) + logf(x) + powf(x, 1.7f) + tanhf(x);
    f[3] = __fadd_rd(x, 1) + __fmul_rz(x, x) + __fmaf_ru(x, x, x) + __fsqrt_rn(x);
    f[4] = (float)a + (float)c + (float)y + __int_as_float(a) + (float)(unsigned)a;
    f[5] = (int)x + (long long)x + __float2int_rn(x) + __float2uint_rz(x) + floorf(x) + ceilf(x);
    f[6] = fminf(x, 1) + fmaxf(x, 2) + fabsf(x) + copysignf(x, f[7]) + __saturatef(x) + rintf(x);
    f[7] = isnan(x) ? 1.0f : isinf(x) ? 2.0f : x != x ? 3.0f : truncf(x) + roundf(x);
    d[1] = y / 3 + sqrt(y) + fma(y, y, 1.0) + exp(y) + sin(y) + (double)c + (double)x;
    d[2] = (int)y + __double2ll_rd(y) + __hiloint2double(a, a) + __double2hiint(y) + floor(y);
}
