// Loops of kinds that programs often have: bench/kernels/kinds as plain C.
#ifndef FACET_BENCH_KINDS_H
#define FACET_BENCH_KINDS_H

#include <stdint.h>

// What bench/kernels/kinds takes, in the same order; absent inputs are null.
struct arrays {
    void *input[4];
    void *output;
};

typedef void loop(int n, const struct arrays *arrays);

loop copy_u8, copy_u16, copy_v4, scan, sort, transpose, spmv, collatz, hash64, crc, half_steps, black_scholes;

#endif
