#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "references.h"
#include "sizes.h"

enum { SGEMM_BYTES = SGEMM_N * SGEMM_N * 4, SGEMM_GRID = SGEMM_N / TILE };

// clang-format off
const struct workload workloads[] = {
    {"empty", {1, 1}, {BLOCK, 1}, 0, {{0}}, {0, 0}, 0, FLOAT32, fill_nothing, expect_nothing, 0},
    {"saxpy", {SAXPY_N / BLOCK, 1}, {BLOCK, 1}, 2, {{.i = SAXPY_N}, {.f = SAXPY_A}},
     {SAXPY_N * 4, 0}, SAXPY_N, FLOAT32, fill_saxpy, expect_saxpy, 1e-6},
    {"sgemm_naive", {SGEMM_GRID, SGEMM_GRID}, {TILE, TILE}, 1, {{.i = SGEMM_N}},
     {SGEMM_BYTES, SGEMM_BYTES}, SGEMM_N * SGEMM_N, FLOAT32, fill_sgemm, expect_sgemm, 1e-5},
    {"sgemm_tiled", {SGEMM_GRID, SGEMM_GRID}, {TILE, TILE}, 1, {{.i = SGEMM_N}},
     {SGEMM_BYTES, SGEMM_BYTES}, SGEMM_N * SGEMM_N, FLOAT32, fill_sgemm, expect_sgemm, 1e-5},
    {"reduction", {REDUCTION_BLOCKS, 1}, {BLOCK, 1}, 1, {{.i = REDUCTION_N}},
     {REDUCTION_N * 4, 0}, REDUCTION_BLOCKS, FLOAT32, fill_reduction, expect_reduction, 1e-5},
    {"histogram", {HISTOGRAM_BLOCKS, 1}, {BLOCK, 1}, 1, {{.i = HISTOGRAM_N}},
     {HISTOGRAM_N, 0}, HISTOGRAM_BINS, INT32, fill_histogram, expect_histogram, 0},
    {"mandelbrot", {MANDELBROT_N / TILE, MANDELBROT_N / TILE}, {TILE, TILE}, 7,
     {{.i = MANDELBROT_N}, {.i = MANDELBROT_N}, {.i = MANDELBROT_LIMIT}, {.f = MANDELBROT_LEFT},
      {.f = MANDELBROT_TOP}, {.f = MANDELBROT_STEP}, {.f = MANDELBROT_STEP}},
     {0, 0}, MANDELBROT_N * MANDELBROT_N, INT32, fill_nothing, expect_mandelbrot, 0},
    {"stencil", {STENCIL_N / STENCIL_BLOCK_X, STENCIL_N / STENCIL_BLOCK_Y}, {STENCIL_BLOCK_X, STENCIL_BLOCK_Y}, 4,
     {{.i = STENCIL_N}, {.i = STENCIL_N}, {.f = STENCIL_C0}, {.f = STENCIL_C1}},
     {STENCIL_N * STENCIL_N * 4, 0}, STENCIL_N * STENCIL_N, FLOAT32, fill_stencil, expect_stencil, 1e-6},
    {"nbody", {NBODY_N / BLOCK, 1}, {BLOCK, 1}, 2, {{.i = NBODY_N}, {.f = NBODY_SOFTENING}},
     {NBODY_N * 16, 0}, NBODY_N * 4, FLOAT32, fill_nbody, expect_nbody, 1e-4},
};
// clang-format on
const size_t workload_count = sizeof workloads / sizeof workloads[0];

static void *allocate(size_t bytes)
{
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memset(memory, 0, rounded);
}

struct buffers workload_allocate(const struct workload *workload)
{
    struct buffers buffers = {{NULL, NULL}, NULL};
    for (int i = 0; i < 2; i++) {
        if (workload->input_bytes[i] > 0) {
            buffers.input[i] = allocate(workload->input_bytes[i]);
        }
    }
    if (workload->output_count > 0) {
        buffers.output = allocate(workload->output_count * 4);
    }
    workload->fill(&buffers);
    return buffers;
}

void workload_free(struct buffers *buffers)
{
    free(buffers->input[0]);
    free(buffers->input[1]);
    free(buffers->output);
}

double *workload_expected(const struct workload *workload, const struct buffers *filled)
{
    double *expected = allocate((workload->output_count + 1) * sizeof(double));
    workload->expect(filled, expected);
    return expected;
}

static double output_at(const struct workload *workload, const void *output, size_t i)
{
    return workload->output_element == FLOAT32 ? (double)((const float *)output)[i] : (double)((const int32_t *)output)[i];
}

double workload_check(const struct workload *workload, const void *output, const double *expected)
{
    double magnitude = 0; // mean; what cancels to almost nothing is held to it instead of to itself
    for (size_t i = 0; i < workload->output_count; i++) {
        magnitude += fabs(expected[i]) / (double)workload->output_count;
    }
    double checksum = 0;
    for (size_t i = 0; i < workload->output_count; i++) {
        double actual = output_at(workload, output, i);
        if (!(fabs(actual - expected[i]) <= workload->tolerance * (fabs(expected[i]) + magnitude))) {
            fprintf(stderr, "%s: element %zu is %.9g, expected %.9g\n", workload->name, i, actual, expected[i]);
            exit(1);
        }
        checksum += fabs(actual) * (double)(1 + i % 256);
    }
    return checksum;
}
