// nvcc: -arch=sm_75
// Inline assembly: instructions that the compiler seldom writes, scopes, carry chains.

extern "C" __global__ void fields(const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = a[i];
    int y = b[i];
    int position = y & 31;
    int length = y >> 5 & 31;
    int* o = out + i * 10;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(x), "r"(position), "r"(length));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(x), "r"(position), "r"(length));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(o[2]) : "r"(y), "r"(x), "r"(position), "r"(length));
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(x), "r"(y), "r"(0x83a1));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(o[4]) : "r"(x), "r"(y), "r"(x * 5 + i));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[5]) : "r"(x), "r"(y), "r"(x * 5 + i));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(x), "r"(y), "r"(y));
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(o[7]) : "r"(x), "r"(y), "r"(y & 63));
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(x), "r"(y), "r"(i));
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(o[9]) : "r"(x), "r"(y), "r"(i));
}

// 128-bit sums and products by carry chains.
extern "C" __global__ void carry(const unsigned* a, const unsigned* b, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* x = a + 4 * i;
    const unsigned* y = b + 4 * i;
    unsigned* o = out + 10 * i;
    unsigned s0, s1, s2, s3, top;
    asm("add.cc.u32 %0, %5, %9;\n\t"
        "addc.cc.u32 %1, %6, %10;\n\t"
        "addc.cc.u32 %2, %7, %11;\n\t"
        "addc.cc.u32 %3, %8, %12;\n\t"
        "addc.u32 %4, 0, 0;"
        : "=r"(s0), "=r"(s1), "=r"(s2), "=r"(s3), "=r"(top)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
    o[0] = s0;
    o[1] = s1;
    o[2] = s2;
    o[3] = s3;
    o[4] = top;
    asm("sub.cc.u32 %0, %4, %8;\n\t"
        "subc.cc.u32 %1, %5, %9;\n\t"
        "subc.cc.u32 %2, %6, %10;\n\t"
        "subc.u32 %3, %7, %11;"
        : "=r"(s0), "=r"(s1), "=r"(s2), "=r"(s3)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
    o[5] = s0;
    o[6] = s1;
    o[7] = s2;
    o[8] = s3;
    asm("{\n\t"
        ".reg .u32 low, high;\n\t"
        "mad.lo.cc.u32 low, %1, %2, %3;\n\t"
        "madc.hi.u32 high, %1, %2, 0;\n\t"
        "xor.b32 %0, low, high;\n\t"
        "}"
        : "=r"(o[9])
        : "r"(x[0]), "r"(y[0]), "r"(x[1]));
}

// A scope with its own registers, a predicate and a label, twice in one kernel.
__device__ __forceinline__ int largest_power(int value) {
    int result;
    asm("{\n\t"
        ".reg .pred more;\n\t"
        ".reg .b32 power;\n\t"
        "mov.b32 power, 1;\n"
        "again:\n\t"
        "shl.b32 power, power, 1;\n\t"
        "setp.le.s32 more, power, %1;\n\t"
        "@more bra again;\n\t"
        "shr.u32 %0, power, 1;\n\t"
        "}"
        : "=r"(result)
        : "r"(value));
    return result;
}

extern "C" __global__ void scopes(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = largest_power(in[i]) + largest_power(in[i] / 3 + 1);
}

// Selections, predicates as values, saturation, a vector move.
extern "C" __global__ void selections(const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* o = out + i * 6;
    int x = a[i];
    int y = b[i];
    asm("{ .reg .pred p, q, r; setp.ne.s32 r, %1, 7; setp.lt.and.s32 p|q, %1, %2, r;"
        " selp.s32 %0, 10, 20, p; @q add.s32 %0, %0, 5; }"
        : "=r"(o[0])
        : "r"(x), "r"(y));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(o[1]) : "r"(x), "r"(y));
    asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(x), "r"(y), "r"(x ^ y));
    asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(o[3]) : "r"(x), "r"(y));
    asm("{ .reg .b64 wide; .reg .b32 low, high; mov.b64 wide, {%1, %2};"
        " add.s64 wide, wide, 0xffffffff; mov.b64 {low, high}, wide; xor.b32 %0, low, high; }"
        : "=r"(o[4])
        : "r"(x), "r"(y));
    asm("cnot.b32 %0, %1;" : "=r"(o[5]) : "r"(x & 1));
}
