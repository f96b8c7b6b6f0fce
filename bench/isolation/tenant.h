/* The program of the benchmark 'isolation' and of 'facet selftest', in pieces. A plain driver API program: it runs on any libcuda.
 * Times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef FACET_TENANT_H
#define FACET_TENANT_H

#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdint.h>

enum { MOST_BLOCKS = 1024, THREADS = 64 };

void check(CUresult result, const char *what);

#define CHECK(call) check(call, #call)

uint64_t now(void);
void sleep_until(uint64_t time);

/* device.c: the one kernel, and how large it is now. */
void device_open(const char *kernels);
void device_use(unsigned blocks, unsigned rounds);
void device_launch(void);
void device_wait(void);

/* A mark behind what was launched so far; to wait until it is reached. There are two. */
void device_mark(unsigned which);
void device_await_mark(unsigned which);
unsigned device_calibrate(unsigned blocks, double microseconds);

/* Blocks that have ended since the start of the program. */
uint64_t device_progress(void);

/* From now on the blocks of so many launches note when they began and ended. */
void device_trace(unsigned launches);
void device_print_trace(void);

/* queue.c: keeps the device supplied until a time; returns when all has ended. */
void queue_until(uint64_t end, unsigned batch);

/* Commands. They print lines. */
void work(uint64_t start, uint64_t end, unsigned batch, unsigned sample_milliseconds);
void serve(unsigned seed, unsigned count, double gap_microseconds);
void repeat(uint64_t start, uint64_t end);
void pulse(uint64_t start, unsigned seed, unsigned count, double milliseconds, unsigned batch);
void take(uint64_t piece);
void calls(void);

#endif
