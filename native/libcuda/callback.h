#ifndef FACET_CALLBACK_H
#define FACET_CALLBACK_H

#include "client.h"

/* What a program wants to be called in stream order. */
struct facet_callback {
    struct facet_context *context;
    CUstreamCallback callback; /* gets stream and status; or NULL */
    CUhostFn function;         /* gets neither */
    CUstream stream;
    void *data;
    bool lasting; /* called for again and again, until it is dropped: of a graph */
};

/* pending.c: the functions that the host has not called for yet. Tokens are never 0 and not soon used again. */

/* 0 when there is no memory. */
uint64_t facet_pending_add(const struct facet_callback *callback);
/* Takes it out, unless it lasts; false when there is none. */
bool facet_pending_take(uint64_t token, struct facet_callback *callback);
/* Takes any out; false when there is none. */
bool facet_pending_any(struct facet_callback *callback);
/* Drops one that lasts. */
void facet_pending_drop(uint64_t token);
/* Drops those of a context. */
void facet_pending_forget(const struct facet_context *context);

/* callback_thread.c: starts the thread that runs them, once. */
CUresult facet_callback_thread_start(void);

#endif
