/* stress SEED THREADS POSTS CALLS TOUCHES CALLBACKS MIXED: so many of each by each thread. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "stress.h"

struct stress_counts stress;

_Noreturn void stress_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "seed %llu: ", (unsigned long long)stress.seed);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    _Exit(1);
}

/* What a thread does in a phase. Its records are numbered over all phases. */
struct worker {
    uint32_t thread, phase, number, launched;
    struct stress_cells *cells;
};

static void flood(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.posts; i++) {
        if (i % 16 == 0)
            stress_begin_and_cancel(worker->phase, worker->thread);
        stress_post(worker->phase, worker->thread, worker->number++);
    }
}

static void call(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.calls; i++) {
        for (uint64_t posts = stress_draw(worker->thread, worker->number) % 3; posts > 0; posts--)
            stress_post(worker->phase, worker->thread, worker->number++);
        stress_call(worker->phase, worker->thread, worker->number++);
    }
}

static void crowd(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.calls / 16; i++)
        stress_call(worker->phase, worker->thread, worker->number++);
}

/* Nobody else sends anything: a reader that is not woken now is woken by nobody. */
static void alone(struct worker *worker)
{
    atomic_store(&stress_is_alone, true);
    for (uint32_t i = 0; i < stress.calls; i++) {
        for (uint64_t posts = stress_draw(worker->thread, worker->number) % 3; posts > 0; posts--)
            stress_post(worker->phase, worker->thread, worker->number++);
        stress_call(worker->phase, worker->thread, worker->number++);
    }
    atomic_store(&stress_is_alone, false);
}

static void touch(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.touches; i++)
        stress_touch(worker->cells, stress_draw(worker->thread, i));
    stress_check_cells(worker->cells);
}

static void launch(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.callbacks; i++, worker->launched++)
        stress_launch(worker->thread, stress.callbacks);
    stress_await_callbacks(worker->thread, worker->launched);
}

/* All of it at once, in any order. */
static void mix(struct worker *worker)
{
    for (uint32_t i = 0; i < stress.mixed; i++) {
        uint64_t draw = stress_mix(stress_draw(worker->thread, i) + worker->phase);
        switch (draw % 8) {
        case 0:
            stress_call(worker->phase, worker->thread, worker->number++);
            break;
        case 1:
            stress_launch(worker->thread, worker->launched++);
            break;
        case 2:
        case 3:
            stress_touch(worker->cells, draw >> 3);
            break;
        default:
            stress_post(worker->phase, worker->thread, worker->number++);
        }
    }
    stress_await_callbacks(worker->thread, worker->launched);
    stress_check_cells(worker->cells);
}

static const struct {
    void (*run)(struct worker *);
    uint32_t threads; /* 0: as many as were asked for */
} phases[] = {{flood, 0}, {call, 0}, {crowd, STRESS_CROWD}, {alone, 1}, {touch, 0}, {launch, 0}, {mix, 0}};
enum { PHASES = sizeof phases / sizeof *phases };

static void *work(void *data)
{
    struct worker *worker = data;
    phases[worker->phase].run(worker);
    return NULL;
}

int main(int count, char **arguments)
{
    if (count != 8)
        stress_fail("there are SEED THREADS POSTS CALLS TOUCHES CALLBACKS MIXED");
    stress.seed = strtoull(arguments[1], NULL, 10);
    uint32_t *numbers[] = {&stress.threads, &stress.posts, &stress.calls, &stress.touches, &stress.callbacks, &stress.mixed};
    for (int i = 0; i < 6; i++)
        *numbers[i] = (uint32_t)strtoul(arguments[2 + i], NULL, 10);
    if (stress.threads >= STRESS_CROWD || facet_session_open(NULL) != CUDA_SUCCESS)
        stress_fail("there is no session");
    stress_map_memory();

    static struct worker workers[STRESS_CROWD];
    for (uint32_t i = 0; i < STRESS_CROWD; i++)
        workers[i] = (struct worker){.thread = i, .cells = stress_cells_of(i)};
    /* The main thread's records tell that a phase begins: nobody else sends anything then. */
    for (uint32_t phase = 0; phase <= PHASES; phase++) {
        stress_call(phase, STRESS_CROWD, phase);
        pthread_t threads[STRESS_CROWD];
        uint32_t running = phase == PHASES ? 0 : phases[phase].threads != 0 ? phases[phase].threads : stress.threads;
        for (uint32_t i = 0; i < running; i++) {
            workers[i].phase = phase;
            if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
                stress_fail("a thread does not start");
        }
        for (uint32_t i = 0; i < running; i++)
            pthread_join(threads[i], NULL);
    }
    struct stress_sleeps sleeps = stress_sleeps();
    for (uint32_t i = 0; i < STRESS_CROWD; i++)
        printf("thread %u %u %u\n", i, workers[i].number, workers[i].launched);
    printf("slept %llu %llu %llu %llu\nlost %llu\n", (unsigned long long)sleeps.for_room, (unsigned long long)sleeps.for_reply,
           (unsigned long long)sleeps.for_slot, (unsigned long long)sleeps.for_callback, (unsigned long long)sleeps.lost);
    return 0;
}
