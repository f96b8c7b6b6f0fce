// Arguments, timing and output that the benchmark programs share.
#ifndef FACET_BENCH_HARNESS_H
#define FACET_BENCH_HARNESS_H

#include "workload.h"

struct options {
    const char *only;    // null: every workload
    const char *kernels; // directory of the OpenCL sources
    int warmup; // untimed launches before the timed ones
    int runs;
    int threads;
};

// How one program runs the kernels. `context` is its own.
struct implementation {
    const char *name;
    // Copies the filled buffers to where the kernel runs and compiles it.
    void (*prepare)(void *context, const struct workload *workload, const struct buffers *buffers);
    // Launches once and waits for the end; this is what is timed.
    void (*run)(void *context);
    // Copies the output back to the buffers.
    void (*finish)(void *context);
    // Frees what `prepare` made.
    void (*release)(void *context);
};

// Parses the arguments into the options, which hold the defaults; exits on --help (0) and on a mistake (2).
void parse_options(int argc, char **argv, const char *about, struct options *options);

// Runs the chosen workloads and prints a line of JSON for each; returns the exit status.
int run_workloads(const struct implementation *implementation, void *context, const struct options *options);

#endif
