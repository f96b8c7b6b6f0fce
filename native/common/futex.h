/* Futexes of memory that is shared with another process, and the instruction for loops that wait. */
#ifndef FACET_FUTEX_H
#define FACET_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns when woken, when the word is not what was expected, after the timeout, or on a signal. */
static inline void facet_futex_wait(uint32_t *word, uint32_t expected, long nanoseconds)
{
    struct timespec timeout = {.tv_sec = 0, .tv_nsec = nanoseconds};
    syscall(SYS_futex, word, FUTEX_WAIT, expected, &timeout, NULL, 0);
}

static inline void facet_futex_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static inline void facet_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static inline uint64_t facet_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* How long to sleep before looking whether the other side is still there. */
#define FACET_LOOK_NANOSECONDS 100000000L

#endif
