// Expected results, computed in double precision and in another order than the kernels. `expected` starts at zero.
// Mandelbrot alone repeats the float arithmetic, because an iteration count has no tolerance.
#include "references.h"

#include <math.h>

#include "sizes.h"

void expect_nothing(const struct buffers *filled, double *expected)
{
    (void)filled;
    (void)expected;
}

void expect_saxpy(const struct buffers *filled, double *expected)
{
    const float *x = filled->input[0];
    const float *y = filled->output;
    for (size_t i = 0; i < SAXPY_N; i++) {
        expected[i] = (double)SAXPY_A * x[i] + y[i];
    }
}

void expect_sgemm(const struct buffers *filled, double *expected)
{
    const float *a = filled->input[0];
    const float *b = filled->input[1];
    for (size_t row = 0; row < SGEMM_N; row++) {
        for (size_t k = 0; k < SGEMM_N; k++) {
            double factor = a[row * SGEMM_N + k];
            for (size_t column = 0; column < SGEMM_N; column++) {
                expected[row * SGEMM_N + column] += factor * b[k * SGEMM_N + column];
            }
        }
    }
}

void expect_reduction(const struct buffers *filled, double *expected)
{
    const float *values = filled->input[0];
    for (size_t i = 0; i < REDUCTION_N; i++) {
        expected[i / BLOCK % REDUCTION_BLOCKS] += values[i];
    }
}

void expect_histogram(const struct buffers *filled, double *expected)
{
    const uint8_t *bytes = filled->input[0];
    for (size_t i = 0; i < HISTOGRAM_N; i++) {
        expected[bytes[i]]++;
    }
}

static int escape(float cx, float cy)
{
    float x = 0.0f;
    float y = 0.0f;
    for (int count = 0; count < MANDELBROT_LIMIT; count++) {
        if (!(fmaf(x, x, y * y) <= 4.0f)) {
            return count;
        }
        float next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(x + x, y, cy);
        x = next;
    }
    return MANDELBROT_LIMIT;
}

void expect_mandelbrot(const struct buffers *filled, double *expected)
{
    (void)filled;
    for (int row = 0; row < MANDELBROT_N; row++) {
        for (int column = 0; column < MANDELBROT_N; column++) {
            float cx = fmaf((float)column, MANDELBROT_STEP, MANDELBROT_LEFT);
            float cy = fmaf((float)row, MANDELBROT_STEP, MANDELBROT_TOP);
            expected[row * MANDELBROT_N + column] = escape(cx, cy);
        }
    }
}

void expect_stencil(const struct buffers *filled, double *expected)
{
    const float *in = filled->input[0];
    for (size_t y = 1; y < STENCIL_N - 1; y++) {
        for (size_t x = 1; x < STENCIL_N - 1; x++) {
            const float *centre = in + y * STENCIL_N + x;
            double neighbours = (double)centre[-STENCIL_N] + centre[STENCIL_N] + centre[-1] + centre[1];
            expected[y * STENCIL_N + x] = (double)STENCIL_C0 * *centre + (double)STENCIL_C1 * neighbours;
        }
    }
}

void expect_nbody(const struct buffers *filled, double *expected)
{
    const float *bodies = filled->input[0];
    for (size_t i = 0; i < NBODY_N; i++) {
        const float *self = bodies + 4 * i;
        for (size_t j = 0; j < NBODY_N; j++) {
            const float *other = bodies + 4 * j;
            double dx = (double)other[0] - self[0];
            double dy = (double)other[1] - self[1];
            double dz = (double)other[2] - self[2];
            double square = dx * dx + dy * dy + dz * dz + (double)NBODY_SOFTENING;
            double pull = other[3] / (square * sqrt(square));
            expected[4 * i] += pull * dx;
            expected[4 * i + 1] += pull * dy;
            expected[4 * i + 2] += pull * dz;
        }
    }
}
