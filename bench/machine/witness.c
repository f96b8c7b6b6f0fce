/* witness: notes when a core did not run what must run before all else.
 *
 * A thread on each core asks to be woken every four milliseconds, with a priority that no ordinary program has.
 * When it is late, the machine itself was away: a hypervisor had lent the core to another one.
 * Prints "watching", or why it cannot; at the end of its input "gap FROM TO" for each, in nanoseconds.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD = 4000000, LATE = 1000000, PRIORITY = 50, MOST_GAPS = 100000, MOST_CORES = 256 };

static struct {
    uint64_t from, to;
} gaps[MOST_GAPS];
static unsigned gap_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *watch(void *unused)
{
    (void)unused;
    for (uint64_t next = now() + PERIOD;; next += PERIOD) {
        struct timespec until = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        uint64_t time = now();
        if (time - next > LATE) {
            pthread_mutex_lock(&lock);
            if (gap_count < MOST_GAPS) {
                /* It may have gone at any moment since the last look. */
                gaps[gap_count].from = next - PERIOD;
                gaps[gap_count++].to = time;
            }
            pthread_mutex_unlock(&lock);
            next = time;
        }
    }
    return NULL;
}

static int start(int core)
{
    cpu_set_t cores;
    pthread_t thread;
    pthread_attr_t attributes;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof cores, &cores);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &(struct sched_param){.sched_priority = PRIORITY});
    return pthread_create(&thread, &attributes, watch, NULL);
}

int main(void)
{
    cpu_set_t cores;
    int problem = sched_getaffinity(0, sizeof cores, &cores) == 0 ? 0 : errno;
    for (int core = 0; core < CPU_SETSIZE && core < MOST_CORES && problem == 0; core++) {
        if (CPU_ISSET(core, &cores)) {
            problem = start(core);
        }
    }
    printf("%s\n", problem == 0 ? "watching" : strerror(problem));
    fflush(stdout);
    char byte;
    while (problem == 0 && read(STDIN_FILENO, &byte, 1) > 0) {
    }
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < gap_count; i++) {
        printf("gap %llu %llu\n", (unsigned long long)gaps[i].from, (unsigned long long)gaps[i].to);
    }
    return problem == 0 ? 0 : 1;
}
