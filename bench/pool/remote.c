/* remote KERNELS.ptx WHAT ...: what a program does whose device may be in another machine. Every result is checked.
 *   launches COUNT ROUNDS TURNS     a stream of launches, and a wait at its end
 *   loop STEPS ROUNDS TURNS         300 launches and 4 waits a step
 *   copies MEGABYTES TURNS          to the device and back
 *   nothing 0                       what every one of them does first, alone
 *   weights MEGABYTES               a start: weights that are the same each time, a launch, a look at some of them
 * Prints lines "name<tab>value<tab>unit", the median of the turns. A plain driver API program: it runs on any libcuda. */
#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCHES = 300, WAITS = 4, MOST_TURNS = 1000, LOOKS = 64 };

#define MEGABYTE ((size_t)1000000)

static CUfunction function;
static CUstream stream;
static CUdeviceptr place;
static uint32_t expected = 1;
static double samples[MOST_TURNS];

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void report(const char *name, int turns, double scale, const char *unit)
{
    qsort(samples, (size_t)turns, sizeof samples[0], compare);
    printf("%s\t%.6f\t%s\n", name, samples[turns / 2] * scale, unit);
    fflush(stdout);
}

static void look(void)
{
    uint32_t found;
    CHECK(cuMemcpyDtoH(&found, place, sizeof found));
    if (found != expected) {
        fprintf(stderr, "the device has %u, and %u is right\n", found, expected);
        exit(1);
    }
}

static void launch(uint32_t value, uint32_t rounds)
{
    void *arguments[] = {&place, &value, &rounds};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
}

/* Not beside the launches: what the host computes to compare is no part of what is measured. */
static void expect(uint32_t value, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        expected = expected * 1664525u + value;
    }
}

static void launches(int count, uint32_t rounds, int turns)
{
    for (int turn = -1; turn < turns; turn++) { /* the first one warms up */
        double started = seconds();
        for (int i = 0; i < count; i++) {
            launch((uint32_t)i, rounds);
        }
        CHECK(cuStreamSynchronize(stream));
        if (turn >= 0)
            samples[turn] = seconds() - started;
        for (int i = 0; i < count; i++) {
            expect((uint32_t)i, rounds);
        }
        look();
    }
    report("launches", turns, 1e6 / count, "us a launch");
}

static void loop(int steps, uint32_t rounds, int turns)
{
    for (int turn = -1; turn < turns; turn++) {
        double started = seconds();
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < LAUNCHES; i++) {
                /* As an optimiser does it, a few kernels are told which step it is. */
                launch((uint32_t)(i % 30 == 0 ? step : i), rounds);
                if (i % (LAUNCHES / WAITS) == LAUNCHES / WAITS - 1)
                    CHECK(cuStreamSynchronize(stream));
            }
        }
        if (turn >= 0)
            samples[turn] = (seconds() - started) / steps;
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < LAUNCHES; i++) {
                expect((uint32_t)(i % 30 == 0 ? step : i), rounds);
            }
        }
        look();
    }
    report("step", turns, 1e3, "ms");
}

/* Bytes that no compressor makes smaller, and that are others for each seed. */
static void draw(unsigned char *data, size_t bytes, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(data + i, &state, 8);
    }
}

static void copies(size_t bytes, int turns)
{
    unsigned char *from = malloc(bytes), *to = malloc(bytes);
    CUdeviceptr device;
    if (from == NULL || to == NULL)
        exit(1);
    CHECK(cuMemAlloc(&device, bytes));
    double back[MOST_TURNS];
    for (int turn = -1; turn < turns; turn++) {
        draw(from, bytes, (uint64_t)time(NULL) * 1000 + (uint64_t)(turn + 2));
        memset(to, 0, bytes);
        double started = seconds();
        CHECK(cuMemcpyHtoD(device, from, bytes));
        CHECK(cuStreamSynchronize(stream));
        CHECK(cuCtxSynchronize());
        double up = seconds();
        CHECK(cuMemcpyDtoH(to, device, bytes));
        if (turn >= 0) {
            samples[turn] = (double)bytes / (up - started);
            back[turn] = (double)bytes / (seconds() - up);
        }
        if (memcmp(from, to, bytes) != 0) {
            fprintf(stderr, "other bytes came back\n");
            exit(1);
        }
    }
    report("to the device", turns, 1e-6, "MB/s");
    memcpy(samples, back, sizeof back);
    report("from the device", turns, 1e-6, "MB/s");
}

static void weights(size_t bytes)
{
    unsigned char *data = malloc(bytes), some[LOOKS];
    CUdeviceptr device;
    if (data == NULL)
        exit(1);
    draw(data, bytes, 1);
    double started = seconds();
    CHECK(cuMemAlloc(&device, bytes));
    CHECK(cuMemcpyHtoD(device, data, bytes));
    launch(7, 100);
    expect(7, 100);
    CHECK(cuCtxSynchronize());
    samples[0] = seconds() - started;
    for (size_t i = 0; i < LOOKS; i++) {
        size_t at = i * (bytes / LOOKS);
        CHECK(cuMemcpyDtoH(some, device + at, sizeof some));
        if (memcmp(some, data + at, sizeof some) != 0) {
            fprintf(stderr, "other weights are there\n");
            exit(1);
        }
    }
    look();
    report("start", 1, 1e3, "ms");
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fprintf(stderr, "usage: remote KERNELS.ptx launches|loop|copies|weights|nothing NUMBER ...\n");
        return 2;
    }
    CUdevice device;
    CUcontext context;
    CUmodule module;
    double started = seconds();
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoad(&module, arguments[1]));
    CHECK(cuModuleGetFunction(&function, module, "step"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAlloc(&place, sizeof expected));
    CHECK(cuMemcpyHtoD(place, &expected, sizeof expected));
    CHECK(cuCtxSynchronize());
    samples[0] = seconds() - started;
    report("begin", 1, 1e3, "ms");
    long number = atol(arguments[3]);
    uint32_t rounds = count > 4 ? (uint32_t)atol(arguments[4]) : 0;
    int turns = atoi(arguments[count - 1]);
    turns = turns < 1 ? 1 : turns > MOST_TURNS ? MOST_TURNS : turns;
    if (strcmp(arguments[2], "launches") == 0)
        launches((int)number, rounds, turns);
    else if (strcmp(arguments[2], "loop") == 0)
        loop((int)number, rounds, turns);
    else if (strcmp(arguments[2], "copies") == 0)
        copies((size_t)number * MEGABYTE, turns);
    else if (strcmp(arguments[2], "weights") == 0)
        weights((size_t)number * MEGABYTE);
    return 0;
}
