// Sizes and constants of the workloads; bench/README.md repeats them.
#ifndef FACET_BENCH_SIZES_H
#define FACET_BENCH_SIZES_H

enum {
    BLOCK = 256, // threads of every one-dimensional block
    TILE = 16,   // side of every square block
    SAXPY_N = 1 << 24,
    SGEMM_N = 512,
    REDUCTION_N = 1 << 24,
    REDUCTION_BLOCKS = 1024,
    HISTOGRAM_N = 1 << 24,
    HISTOGRAM_BLOCKS = 1024,
    HISTOGRAM_BINS = 256,
    MANDELBROT_N = 1024,
    MANDELBROT_LIMIT = 256,
    STENCIL_N = 2048,
    STENCIL_BLOCK_X = 32,
    STENCIL_BLOCK_Y = 8,
    NBODY_N = 4096
};

#define SAXPY_A 2.5f
#define MANDELBROT_LEFT (-2.0f)
#define MANDELBROT_TOP (-1.25f)
#define MANDELBROT_STEP (2.5f / 1024.0f)
#define STENCIL_C0 0.5f
#define STENCIL_C1 0.125f
#define NBODY_SOFTENING 0.01f

#endif
