// nvcc: -arch=sm_75
// Integer arithmetic of 64 bits.

extern "C" __global__ void int64_ops(const long long* a, const long long* b, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long x = a[i];
        long long y = b[i];
        unsigned long long ux = (unsigned long long) x;
        unsigned long long uy = (unsigned long long) y;
        int s = (int) (y & 63);
        long long* o = out + i * 16;
        o[0] = x * y;
        o[1] = __mul64hi(x, y);
        o[2] = (long long) __umul64hi(ux, uy);
        o[3] = x / y;
        o[4] = x % y;
        o[5] = (long long) (ux / uy);
        o[6] = (long long) (ux % uy);
        o[7] = x << s;
        o[8] = x >> s;
        o[9] = (long long) (ux >> s);
        o[10] = min(x, y);
        o[11] = (long long) max(ux, uy);
        o[12] = llabs(x);
        o[13] = (long long) (int) x * (int) y;
        o[14] = (long long) ((unsigned long long) (unsigned) x * (unsigned) y);
        o[15] = (x ^ ~y) + (x & -y) - (x | 5);
    }
}

extern "C" __global__ void int32_ops(const int* a, const int* b, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = a[i];
        int y = b[i];
        int* o = out + i * 12;
        o[0] = x * y;
        o[1] = __mulhi(x, y);
        o[2] = (int) __umulhi((unsigned) x, (unsigned) y);
        o[3] = x / y;
        o[4] = x % y;
        o[5] = (int) ((unsigned) x / (unsigned) y);
        o[6] = (int) ((unsigned) x % (unsigned) y);
        o[7] = __mul24(x, y);
        o[8] = (int) __sad(x, y, 17u);
        o[9] = __hadd(x, y);
        o[10] = __rhadd(x, y);
        o[11] = x * y + (x >> 3);
    }
}

// PTX clamps shift amounts, C does not define them.
extern "C" __global__ void wide_shifts(const int* value, const int* amount, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left;
    int right;
    int logical;
    asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(value[i]), "r"(amount[i]));
    asm("shr.s32 %0, %1, %2;" : "=r"(right) : "r"(value[i]), "r"(amount[i]));
    asm("shr.u32 %0, %1, %2;" : "=r"(logical) : "r"(value[i]), "r"(amount[i]));
    out[3 * i] = left;
    out[3 * i + 1] = right;
    out[3 * i + 2] = logical;
}
