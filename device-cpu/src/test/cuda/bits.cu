// nvcc: -arch=sm_75
// Bit tricks by intrinsics.

extern "C" __global__ void bit_ops(const unsigned* a, const unsigned* b, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = a[i];
        unsigned y = b[i];
        unsigned* o = out + i * 11;
        o[0] = __brev(x);
        o[1] = __clz(x);
        o[2] = __popc(x);
        o[3] = __ffs(x);
        o[4] = __byte_perm(x, y, y & 0x7777);
        o[5] = __funnelshift_l(x, y, y);
        o[6] = __funnelshift_r(x, y, y);
        o[7] = __funnelshift_lc(x, y, y & 63);
        o[8] = __funnelshift_rc(x, y, y & 63);
        o[9] = __byte_perm(x, y, 0x2b1e);
        o[10] = __vadd4(x, y);
    }
}

extern "C" __global__ void wide_bit_ops(const unsigned long long* a, unsigned long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long x = a[i];
        unsigned long long* o = out + i * 4;
        o[0] = __brevll(x);
        o[1] = __clzll(x);
        o[2] = __popcll(x);
        o[3] = __ffsll(x);
    }
}
