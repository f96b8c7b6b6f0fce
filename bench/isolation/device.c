/* The device as this program uses it: one kernel, counts and times in memory that both see. */
#include "tenant.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUfunction spin, look;
static CUstream stream, other; /* both where a kernel has too few blocks for all of the device */
static CUevent joined;
static CUdeviceptr values;
enum { COUNTS = 2 * MOST_BLOCKS };
static volatile uint32_t *counts; /* of blocks, for each stream */
static CUdeviceptr device_counts;

static unsigned blocks = 1, rounds = 1;

static volatile uint64_t *trace; /* begin and end of each block of each launch */
static CUdeviceptr device_times;
static unsigned trace_launches, traced, trace_blocks;
static int64_t clock_offset; /* what to add to the device's time */

/* Memory that the device writes and we read. */
static void *mapped(size_t bytes, CUdeviceptr *device)
{
    void *host;
    CHECK(cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_DEVICEMAP));
    CHECK(cuMemHostGetDevicePointer(device, host, 0));
    memset(host, 0, bytes);
    return host;
}

/* Device time against ours: the narrowest of some brackets tells best. */
static void compare_clocks(void)
{
    CUdeviceptr place;
    volatile uint64_t *time = mapped(sizeof *time, &place);
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 200; i++) {
        void *arguments[] = {&place};
        uint64_t before = now();
        CHECK(cuLaunchKernel(look, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
        CHECK(cuStreamSynchronize(stream));
        uint64_t width = now() - before;
        if (width < narrowest) {
            narrowest = width;
            clock_offset = (int64_t)(before + width / 2 - *time);
        }
    }
    CHECK(cuMemFreeHost((void *)time));
}

void device_open(const char *kernels)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoad(&module, kernels));
    CHECK(cuModuleGetFunction(&spin, module, "spin"));
    CHECK(cuModuleGetFunction(&look, module, "look"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&joined, CU_EVENT_DISABLE_TIMING));
    CHECK(cuMemAlloc(&values, MOST_BLOCKS * THREADS * sizeof(float)));
    counts = mapped(COUNTS * sizeof *counts, &device_counts);
}

void device_use(unsigned new_blocks, unsigned new_rounds)
{
    if (new_blocks == 0 || new_blocks > MOST_BLOCKS) {
        fprintf(stderr, "%u blocks; 1 to %d\n", new_blocks, MOST_BLOCKS);
        exit(2);
    }
    blocks = new_blocks;
    rounds = new_rounds;
}

/* A launch of so few blocks runs on one core: waking another one takes longer. */
static int is_small(void)
{
    return blocks <= 4;
}

/* What was launched is over when this stream is. */
static void join(void)
{
    if (is_small()) {
        CHECK(cuEventRecord(joined, other));
        CHECK(cuStreamWaitEvent(stream, joined, 0));
    }
}

void device_launch(void)
{
    static unsigned launches;
    CUdeviceptr times = 0;
    if (traced < trace_launches) {
        times = device_times + (uint64_t)traced * blocks * 2 * sizeof *trace;
        traced++;
    }
    int second = is_small() && launches++ % 2 != 0;
    CUdeviceptr its_counts = device_counts + (second ? MOST_BLOCKS * sizeof *counts : 0);
    void *arguments[] = {&its_counts, &values, &times, &rounds};
    check(cuLaunchKernel(spin, blocks, 1, 1, THREADS, 1, 1, 0, second ? other : stream, arguments, NULL), "launch");
}

static CUevent turns[2];

void device_mark(unsigned which)
{
    if (turns[which] == NULL)
        CHECK(cuEventCreate(&turns[which], CU_EVENT_DISABLE_TIMING));
    join();
    CHECK(cuEventRecord(turns[which], stream));
}

void device_await_mark(unsigned which)
{
    CHECK(cuEventSynchronize(turns[which]));
}

void device_wait(void)
{
    join();
    CHECK(cuStreamSynchronize(stream));
}

uint64_t device_progress(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < COUNTS; i++) {
        sum += counts[i];
    }
    return sum;
}

/* Nanoseconds of a kernel among others: enough of them that the first and the last do not matter. */
static double nanoseconds_each(unsigned count)
{
    uint64_t started = now();
    for (unsigned i = 0; i < count; i++) {
        device_launch();
    }
    device_wait();
    return (double)(now() - started) / count;
}

unsigned device_calibrate(unsigned new_blocks, double microseconds)
{
    enum { STEPS = 12 };
    double wanted = microseconds * 1e3;
    device_use(new_blocks, 16);
    for (int step = 0; step < STEPS; step++) {
        double count = 100e6 / wanted; /* 100 ms */
        double took = nanoseconds_each(count < 2 ? 2 : (unsigned)count);
        double factor = wanted / took;
        /* Code that is not warm yet, or launches that cost more than the kernel, mislead. */
        factor = factor > 8 ? 8 : factor < 0.125 ? 0.125 : factor;
        double next = rounds * factor;
        rounds = next < 1 ? 1 : (unsigned)(next + 0.5);
    }
    return rounds;
}

void device_trace(unsigned launches)
{
    compare_clocks();
    trace_blocks = blocks;
    trace = mapped((size_t)launches * blocks * 2 * sizeof *trace, &device_times);
    trace_launches = launches;
    traced = 0;
}

void device_print_trace(void)
{
    for (uint64_t i = 0; i < (uint64_t)traced * trace_blocks; i++) {
        if (trace[2 * i + 1] != 0) {
            printf("block %lld %lld\n", (long long)trace[2 * i] + clock_offset, (long long)trace[2 * i + 1] + clock_offset);
        }
    }
    if (trace != NULL) {
        CHECK(cuMemFreeHost((void *)trace));
    }
    trace = NULL;
    trace_launches = traced = 0;
}

static CUevent marks[3];

/* Three batches are under way: while the program is being woken for the end of one there are two more. */
void queue_until(uint64_t end, unsigned batch)
{
    for (int i = 0; i < 3; i++) {
        if (marks[i] == NULL) {
            CHECK(cuEventCreate(&marks[i], CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC));
        }
    }
    for (unsigned turn = 0; now() < end; turn++) {
        CUevent mark = marks[turn % 3];
        if (turn >= 3) {
            CHECK(cuEventSynchronize(mark));
        }
        for (unsigned i = 0; i < batch; i++) {
            device_launch();
        }
        join();
        CHECK(cuEventRecord(mark, stream));
    }
    device_wait();
}
