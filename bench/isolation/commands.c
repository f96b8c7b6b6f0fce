/* What a tenant does when it is told to. */
#include "tenant.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 100000 };

static struct {
    uint64_t time, blocks;
} samples[MOST_SAMPLES];
static int sample_count;
static uint64_t sample_period;
static atomic_bool sampling;

static void *sample(void *unused)
{
    (void)unused;
    for (uint64_t time = now(); sampling && sample_count < MOST_SAMPLES; time += sample_period) {
        uint64_t blocks = device_progress();
        /* Only what has changed: between two of these it is taken to be even. */
        if (sample_count == 0 || samples[sample_count - 1].blocks != blocks) {
            samples[sample_count].time = now();
            samples[sample_count++].blocks = blocks;
        }
        sleep_until(time + sample_period);
    }
    return NULL;
}

void work(uint64_t start, uint64_t end, unsigned batch, unsigned sample_milliseconds)
{
    pthread_t thread;
    sample_period = sample_milliseconds * UINT64_C(1000000);
    sleep_until(start);
    sample_count = 0;
    sampling = true;
    if (pthread_create(&thread, NULL, sample, NULL) != 0) {
        fprintf(stderr, "no thread\n");
        exit(1);
    }
    queue_until(end, batch);
    sampling = false;
    pthread_join(thread, NULL);
    for (int i = 0; i < sample_count; i++) {
        printf("sample %llu %llu\n", (unsigned long long)samples[i].time, (unsigned long long)samples[i].blocks);
    }
}

/* In (0, 1). xorshift: the same on every machine. */
static double random_part(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static uint64_t random_start(unsigned seed)
{
    return (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Requests at random times, one after the other; how long each took. */
void serve(unsigned seed, unsigned count, double gap_microseconds)
{
    uint64_t state = random_start(seed);
    struct request {
        uint64_t start, end;
    } *requests = calloc(count, sizeof *requests);
    if (requests == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (unsigned i = 0; i < count; i++) {
        sleep_until(now() + (uint64_t)(-log(random_part(&state)) * gap_microseconds * 1e3));
        requests[i].start = now();
        device_launch();
        device_wait();
        requests[i].end = now();
    }
    for (unsigned i = 0; i < count; i++) {
        printf("request %llu %llu\n", (unsigned long long)requests[i].start, (unsigned long long)requests[i].end);
    }
    free(requests);
}

/* Launches, of which the next one always waits behind that which runs: the device is not kept waiting for this
 * program. When each was asked for and when it had ended. */
void repeat(uint64_t start, uint64_t end)
{
    uint64_t begun[2];
    unsigned count = 0;
    sleep_until(start);
    do {
        begun[count % 2] = now();
        device_launch();
        device_mark(count % 2);
        if (++count > 1) {
            device_await_mark(count % 2);
            printf("request %llu %llu\n", (unsigned long long)begun[count % 2], (unsigned long long)now());
        }
    } while (now() < end);
    device_wait();
}

/* Works for about so long, does nothing for about so long, and again. */
void pulse(uint64_t start, unsigned seed, unsigned count, double milliseconds, unsigned batch)
{
    uint64_t state = random_start(seed), time = start;
    for (unsigned i = 0; i < count; i++) {
        sleep_until(time);
        uint64_t begun = now();
        queue_until(begun + (uint64_t)((1 + random_part(&state)) * milliseconds * 1e6), batch);
        uint64_t ended = now();
        printf("pulse %llu %llu\n", (unsigned long long)begun, (unsigned long long)ended);
        time = ended + (uint64_t)((1 + random_part(&state)) * milliseconds * 1e6);
    }
}
