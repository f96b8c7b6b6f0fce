/* Reading and writing device memory from here. The host may move it while nobody touches it.
 * docs/session-protocol.md, Oversubscription */
#ifndef FACET_TOUCH_H
#define FACET_TOUCH_H

#include "client.h"

/* The contexts whose device memory is touched; NULL: none. */
struct facet_touch {
    struct facet_context *first, *second;
};

/* Waits until their memory is on the device, and keeps it there until facet_touch_end. */
CUresult facet_touch_begin(const struct facet_touch *touch);
void facet_touch_end(const struct facet_touch *touch);

#endif
