#ifndef FACET_BENCH_INPUTS_H
#define FACET_BENCH_INPUTS_H

#include "workload.h"

void fill_nothing(const struct buffers *buffers);
void fill_saxpy(const struct buffers *buffers);
void fill_sgemm(const struct buffers *buffers);
void fill_reduction(const struct buffers *buffers);
void fill_histogram(const struct buffers *buffers);
void fill_stencil(const struct buffers *buffers);
void fill_nbody(const struct buffers *buffers);

#endif
