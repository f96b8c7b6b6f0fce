/* How long a program waits for a daemon that is slow to let it in: told after two seconds, given up after ten. */
#ifndef FACET_PATIENCE_H
#define FACET_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

struct facet_patience {
    const char *path; /* of the daemon's socket, for people */
    uint64_t begun;   /* milliseconds */
    bool told;
};

void facet_patience_begin(struct facet_patience *patience, const char *path);

/* Milliseconds that may be waited before asking again; 0 when the time is over. Tells when it is time to. */
int facet_patience_left(struct facet_patience *patience);

/* Until there is something to read, or the time is over: then false, and errno says so. */
bool facet_patience_await(struct facet_patience *patience, int descriptor);

/* A little while before the next try; false when the time is over. */
bool facet_patience_pause(struct facet_patience *patience);

#endif
