/* What the program has of the vendor's driver, as far as it was charged for it: the vendor is told an address or a handle when something is
 * given back, and the size is here. Any thread; nothing is called with the lock held. */
#ifndef FACET_DIRECT_BOOKS_H
#define FACET_DIRECT_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "facet_cuda.h"

enum facet_booked_kind {
    FACET_BOOKED_MEMORY = 1, /* by its address */
    FACET_BOOKED_ARRAY,
    FACET_BOOKED_MIPMAP,
    FACET_BOOKED_IMPORT, /* memory of another process, by its address */
    FACET_BOOKED_EXTERNAL,
    FACET_BOOKED_HEAP, /* of kernels, by its context */
    FACET_BOOKED_GRAPH, /* an executable graph with memory nodes: what it needs when it is launched. Not charged */
};

struct facet_booked {
    uint64_t key; /* address or handle */
    enum facet_booked_kind kind;
    int device; /* of the slice */
    uint32_t count; /* how often it was opened */
    uint64_t bytes;
    CUcontext context; /* with which it ends; NULL: with none */
};

/* False: there is no memory for it. What has the same key is replaced: the vendor gave the key anew, so the old one is gone; its bytes are
 * given back. */
bool facet_book(const struct facet_booked *entry);
/* Takes it out; false: it is not there. */
bool facet_book_remove(enum facet_booked_kind kind, uint64_t key, struct facet_booked *entry);
bool facet_book_find(enum facet_booked_kind kind, uint64_t key, struct facet_booked *entry);
/* Once more, or once less, open; returns how often it is now, 0: it was not there or is gone; then entry is what it was. */
uint32_t facet_book_count(enum facet_booked_kind kind, uint64_t key, int change, struct facet_booked *entry);
/* A context has ended: gives back what was charged for all that was in it. */
void facet_book_drop(CUcontext context);
/* In a child: nothing of this is its own. */
void facet_book_forget(void);
void facet_book_lock(void);
void facet_book_unlock(void);

#endif
