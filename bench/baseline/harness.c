#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void usage(FILE *stream, const char *program, const char *about, const struct options *options)
{
    fprintf(stream, "usage: %s [--only NAME] [--warmup N] [--runs N]%s\n%s\n", program,
            options->kernels ? " [--threads N] [--kernels DIRECTORY]" : "", about);
    fprintf(stream, "  --only NAME   run one workload:");
    for (size_t i = 0; i < workload_count; i++) {
        fprintf(stream, " %s", workloads[i].name);
    }
    fprintf(stream, "\n  --warmup N    untimed launches, default %d\n", options->warmup);
    fprintf(stream, "  --runs N      timed launches, default %d; the best and the median are reported\n", options->runs);
    if (options->kernels) {
        fprintf(stream, "  --threads N   worker threads of PoCL, default %d\n", options->threads);
        fprintf(stream, "  --kernels DIRECTORY   where the .cl files are\n");
    }
}

static int positive(const char *option, const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != '\0' || number < 1 || number > 1000000) {
        fprintf(stderr, "%s wants a number from 1, not '%s'\n", option, text);
        exit(2);
    }
    return (int)number;
}

void parse_options(int argc, char **argv, const char *about, struct options *options)
{
    const struct options defaults = *options;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            usage(stdout, argv[0], about, &defaults);
            exit(0);
        }
        const char *following = i + 1 < argc ? argv[i + 1] : NULL;
        if (following && strcmp(argv[i], "--only") == 0) {
            options->only = following;
        } else if (following && strcmp(argv[i], "--warmup") == 0) {
            options->warmup = positive("--warmup", following);
        } else if (following && strcmp(argv[i], "--runs") == 0) {
            options->runs = positive("--runs", following);
        } else if (following && defaults.kernels && strcmp(argv[i], "--threads") == 0) {
            options->threads = positive("--threads", following);
        } else if (following && defaults.kernels && strcmp(argv[i], "--kernels") == 0) {
            options->kernels = following;
        } else {
            fprintf(stderr, "unknown option or missing value: %s\n", argv[i]);
            usage(stderr, argv[0], about, &defaults);
            exit(2);
        }
        i++;
    }
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int ascending(const void *left, const void *right)
{
    double l = *(const double *)left;
    double r = *(const double *)right;
    return (l > r) - (l < r);
}

// The first launch is checked. The later ones run on the data it left behind: those that bring the working set into a
// large last-level cache, which takes several, and those that are timed.
static void measure(const struct implementation *implementation, void *context, const struct workload *workload, const struct options *options)
{
    struct buffers buffers = workload_allocate(workload);
    double *expected = workload_expected(workload, &buffers);
    double *times = calloc((size_t)options->runs, sizeof *times);
    if (times == NULL) {
        fprintf(stderr, "no memory for %d runs\n", options->runs);
        exit(1);
    }
    implementation->prepare(context, workload, &buffers);
    implementation->run(context);
    implementation->finish(context);
    double checksum = workload_check(workload, buffers.output, expected);
    for (int i = 0; i < options->warmup; i++) {
        implementation->run(context);
    }
    for (int i = 0; i < options->runs; i++) {
        double start = milliseconds();
        implementation->run(context);
        times[i] = milliseconds() - start;
    }
    qsort(times, (size_t)options->runs, sizeof *times, ascending);
    printf(
        "{\"kernel\":\"%s\",\"implementation\":\"%s\",\"threads\":%d,\"milliseconds\":%.4f,"
        "\"median_milliseconds\":%.4f,\"runs\":%d,\"checksum\":%.12g}\n",
        workload->name, implementation->name, options->threads, times[0], times[options->runs / 2], options->runs, checksum);
    fflush(stdout);
    implementation->release(context);
    free(times);
    free(expected);
    workload_free(&buffers);
}

int run_workloads(const struct implementation *implementation, void *context, const struct options *options)
{
    int matched = 0;
    for (size_t i = 0; i < workload_count; i++) {
        if (options->only == NULL || strcmp(options->only, workloads[i].name) == 0) {
            measure(implementation, context, &workloads[i], options);
            matched++;
        }
    }
    if (matched == 0) {
        fprintf(stderr, "no workload is named '%s'; --help lists them\n", options->only);
        return 2;
    }
    return 0;
}
