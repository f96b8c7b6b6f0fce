/* tenant KERNELS.ptx: reads commands, a line each, and answers each with lines, the last of them "done". */
#include "tenant.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void sleep_until(uint64_t time)
{
    struct timespec until = {(time_t)(time / 1000000000u), (long)(time % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
    }
}

static int perform(const char *line)
{
    unsigned long long start, end;
    unsigned blocks, number, count, batch;
    double time;
    if (sscanf(line, "use %u %u", &blocks, &number) == 2) {
        device_use(blocks, number);
    } else if (sscanf(line, "calibrate %u %lf", &blocks, &time) == 2) {
        printf("rounds %u\n", device_calibrate(blocks, time));
    } else if (sscanf(line, "trace %u", &count) == 1) {
        device_trace(count);
    } else if (strcmp(line, "traced\n") == 0) {
        device_print_trace();
    } else if (sscanf(line, "work %llu %llu %u %u", &start, &end, &batch, &number) == 4) {
        work(start, end, batch, number);
    } else if (sscanf(line, "serve %u %u %lf", &number, &count, &time) == 3) {
        serve(number, count, time);
    } else if (sscanf(line, "repeat %llu %llu", &start, &end) == 2) {
        repeat(start, end);
    } else if (sscanf(line, "pulse %llu %u %u %lf %u", &start, &number, &count, &time, &batch) == 5) {
        pulse(start, number, count, time, batch);
    } else if (sscanf(line, "take %llu", &start) == 1) {
        take(start);
    } else if (strcmp(line, "calls\n") == 0) {
        calls();
    } else {
        fprintf(stderr, "what is this: %s", line);
        return 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: tenant KERNELS.ptx\n");
        return 2;
    }
    /* Sleeps end when they should. */
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
    device_open(arguments[1]);
    char line[256];
    do {
        puts("done");
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) {
            return 0;
        }
    } while (perform(line));
    return 2;
}
