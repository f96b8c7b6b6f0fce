#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lacks.h"

enum { CALLER, PROGRAM, LOG, WATCHED };

/* A program that writes without end is not to fill a disk: so many bytes at once, and so many a second. */
enum { BURST = 256 << 10, RATE = 16 << 10 };

struct allowance {
    int64_t left;
    time_t since;
    uint64_t dropped;
};

int watch_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0);
}

static time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void write_all(const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, count);
        if (written < 0 && errno != EINTR) {
            return; /* nobody reads; there is no other place to say so */
        }
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
}

static void tell_dropped(struct allowance *allowance)
{
    char line[128];
    int length = snprintf(line, sizeof line, "facet-confine: %llu bytes of a worker's log were left out: too many at once\n",
                          (unsigned long long)allowance->dropped);
    write_all(line, (size_t)length);
    allowance->dropped = 0;
}

/* Terminals obey control characters, and a log is read in one. */
static void make_plain(char *bytes, ssize_t count)
{
    for (ssize_t i = 0; i < count; i++) {
        unsigned char each = (unsigned char)bytes[i];
        if ((each < ' ' && each != '\n' && each != '\t') || each == 127) {
            bytes[i] = '?';
        }
    }
}

/* False when nobody can write any more. */
static bool pass_on(int log, struct allowance *allowance)
{
    char bytes[8192];
    ssize_t count = read(log, bytes, sizeof bytes);
    if (count <= 0) {
        return count < 0 && errno == EINTR;
    }
    time_t time = now();
    if (time != allowance->since) {
        int64_t more = allowance->left + (int64_t)(time - allowance->since) * RATE;
        allowance->left = more > BURST ? BURST : more;
        allowance->since = time;
    }
    if (allowance->left < count) {
        allowance->dropped += (uint64_t)count;
        return true;
    }
    if (allowance->dropped > 0) {
        tell_dropped(allowance);
    }
    allowance->left -= count;
    make_plain(bytes, count);
    write_all(bytes, (size_t)count);
    return true;
}

static int code_of(pid_t program)
{
    int status = 0;
    while (waitpid(program, &status, 0) < 0) {
        if (errno != EINTR) {
            return 1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int watch(pid_t program, int caller, int log)
{
    struct allowance allowance = {BURST, now(), 0};
    struct pollfd watched[WATCHED] = {{caller, POLLIN, 0}, {watch_process(program), POLLIN, 0}, {log, POLLIN, 0}};
    if (watched[PROGRAM].fd < 0) {
        confine_fail("cannot watch", "the program");
    }
    while (true) {
        if (poll(watched, WATCHED, -1) < 0) {
            if (errno != EINTR) {
                confine_fail("cannot wait for", "the program");
            }
            continue;
        }
        if (watched[CALLER].revents != 0) {
            return 1;
        }
        /* What it said last comes before its end. */
        if (watched[LOG].revents != 0) {
            if (!pass_on(log, &allowance)) {
                watched[LOG].fd = -1;
            }
        } else if (watched[PROGRAM].revents != 0) {
            if (allowance.dropped > 0) {
                tell_dropped(&allowance);
            }
            return code_of(program);
        }
    }
}
