// The workloads that every implementation of the benchmark runs: sizes, inputs, expected results.
#ifndef FACET_BENCH_WORKLOAD_H
#define FACET_BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

enum element { FLOAT32, INT32 };

union scalar {
    int32_t i;
    float f;
};

// Host memory of one workload; an absent input is null. All elements but the bytes of `histogram` are 4 bytes.
struct buffers {
    void *input[2];
    void *output;
};

// A kernel's parameters are its scalars, then the inputs present, then the output.
struct workload {
    const char *name;
    size_t grid[2];  // blocks
    size_t block[2]; // threads
    int scalar_count;
    union scalar scalars[7];
    size_t input_bytes[2];
    size_t output_count;
    enum element output_element;
    void (*fill)(const struct buffers *buffers);
    void (*expect)(const struct buffers *filled, double *expected);
    double tolerance; // relative; 0 asks for equality
};

extern const struct workload workloads[];
extern const size_t workload_count;

// Inputs and output as before the first launch; exits if memory is short.
struct buffers workload_allocate(const struct workload *workload);
void workload_free(struct buffers *buffers);

// Expected output for freshly filled buffers, output_count values; the caller frees it.
double *workload_expected(const struct workload *workload, const struct buffers *filled);

// Compares an output with the expected one and returns its checksum; exits with 1 on a mismatch.
double workload_check(const struct workload *workload, const void *output, const double *expected);

#endif
