#ifndef FACET_BENCH_REFERENCES_H
#define FACET_BENCH_REFERENCES_H

#include "workload.h"

void expect_nothing(const struct buffers *filled, double *expected);
void expect_saxpy(const struct buffers *filled, double *expected);
void expect_sgemm(const struct buffers *filled, double *expected);
void expect_reduction(const struct buffers *filled, double *expected);
void expect_histogram(const struct buffers *filled, double *expected);
void expect_mandelbrot(const struct buffers *filled, double *expected);
void expect_stencil(const struct buffers *filled, double *expected);
void expect_nbody(const struct buffers *filled, double *expected);

#endif
