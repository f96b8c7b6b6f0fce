#include "patience.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "client.h"

enum { TELL_MILLISECONDS = 2000, MOST_MILLISECONDS = 10000, PAUSE_MILLISECONDS = 50 };

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

void facet_patience_begin(struct facet_patience *patience, const char *path)
{
    *patience = (struct facet_patience){.path = path, .begun = now()};
}

int facet_patience_left(struct facet_patience *patience)
{
    uint64_t waited = now() - patience->begun;
    if (waited >= MOST_MILLISECONDS)
        return 0;
    if (waited < TELL_MILLISECONDS)
        return (int)(TELL_MILLISECONDS - waited);
    if (!patience->told) {
        patience->told = true;
        facet_say("the daemon behind %s is slow to answer; this program waits for it, up to 10 seconds", patience->path);
    }
    return (int)(MOST_MILLISECONDS - waited);
}

bool facet_patience_await(struct facet_patience *patience, int descriptor)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    int left;
    while ((left = facet_patience_left(patience)) > 0) {
        int found = poll(&ready, 1, left);
        if (found > 0)
            return true;
        if (found < 0 && errno != EINTR)
            return false;
    }
    errno = ETIMEDOUT;
    return false;
}

bool facet_patience_pause(struct facet_patience *patience)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MILLISECONDS * 1000000}, NULL);
    return facet_patience_left(patience) > 0;
}
