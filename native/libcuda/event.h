#ifndef FACET_EVENT_H
#define FACET_EVENT_H

#include "graph/edges.h"
#include "objects.h"

struct facet_stream;

/* Where in its stream an event was last recorded, as a wait of that stream would be numbered (struct facet_waits). */
struct facet_event_place {
    struct facet_stream *stream;
    uint64_t unique, wait; /* wait 0: nobody needs to know */
    uint64_t version;
};

struct facet_event {
    struct facet_object object;
    unsigned flags;
    _Atomic bool recorded;
    _Atomic bool placed;            /* place has a wait */
    struct facet_event_place place; /* guarded by a lock of event.c */
    _Atomic uint64_t capture; /* number of the capture that it was last recorded in; 0: none */
    struct facet_edges captured; /* what the stream had done there */
};

/* Whether there may be something to wait for. Other processes record events too that they have open. */
static inline bool facet_event_recorded(const struct facet_event *event)
{
    return (event->flags & CU_EVENT_INTERPROCESS) != 0 || atomic_load_explicit(&event->recorded, memory_order_acquire);
}

#endif
