// Inline assembly: scopes with registers, predicates and labels of their own.
__device__ unsigned adder(unsigned a, unsigned b, unsigned &carry) {
    unsigned sum;
    asm("{\n\t"
        ".reg .u32 t1;\n\t"
        "add.cc.u32 t1, %2, %3;\n\t"
        "addc.u32 %1, 0, 0;\n\t"
        "mov.u32 %0, t1;\n\t"
        "}"
        : "=r"(sum), "=r"(carry)
        : "r"(a), "r"(b));
    return sum;
}

__device__ int spin(int *flag) {
    int turns = 0;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .b32 seen, one;\n\t"
                 "mov.b32 one, 1;\n\t"
                 "AGAIN:\n\t"
                 "ld.acquire.gpu.global.b32 seen, [%1];\n\t"
                 "add.s32 %0, %0, one;\n\t"
                 "setp.eq.s32 p, seen, 0;\n\t"
                 "@p bra AGAIN;\n\t"
                 "{ .reg .pred p; setp.ne.s32 p, seen, 2; @!p bra DONE; }\n\t"
                 "DONE:\n\t"
                 "}"
                 : "+r"(turns)
                 : "l"(flag)
                 : "memory");
    return turns;
}

__global__ void assembly(unsigned *data, int *flag) {
    unsigned carry;
    unsigned sum = adder(data[0], data[1], carry);
    sum = adder(sum, data[2], carry);
    unsigned lane, bits, field;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(bits) : "r"(sum), "r"(carry), "r"(lane));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(field) : "r"(bits));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(bits) : "r"(bits), "r"(field));
    unsigned long long clock;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(clock)::"memory");
    unsigned lo, hi;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(clock));
    data[3] = bits ^ lo ^ hi;
    data[4] = spin(flag) + spin(flag + 1);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(data));
    asm volatile("bar.sync 1, 64;");
    asm volatile("ld.global.L1::no_allocate.L2::128B.v4.u32 {%0,%1,%2,%3}, [%4+16];"
                 : "=r"(data[5]), "=r"(data[6]), "=r"(data[7]), "=r"(data[8])
                 : "l"(data));
}
