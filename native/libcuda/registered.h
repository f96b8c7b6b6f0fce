/* Memory of the program that was registered: by its own address. */
#ifndef FACET_REGISTERED_H
#define FACET_REGISTERED_H

#include "context.h"
#include "tree.h"

struct facet_registered {
    struct facet_tree_node node;
    uint64_t host; /* as the program gave it */
    uint64_t bytes;
    unsigned flags;
    uint64_t page; /* the pages around it */
    uint64_t page_bytes;
    struct facet_context *context;
    uint64_t address; /* of the pages in the context's memory; 0 when they could not be moved there */
};

CUresult facet_registered_add(const struct facet_registered *registered);
/* The registration that includes an address; false when there is none. */
bool facet_registered_find(uint64_t host, struct facet_registered *found);
/* Takes out the registration that starts at this address. */
bool facet_registered_remove(uint64_t host, struct facet_registered *removed);
/* Takes out any one of a context. */
bool facet_registered_remove_of(const struct facet_context *context, struct facet_registered *removed);

/* Pages that lie in the context's memory are shared with a child of fork; it gets its own. */
void facet_registered_before_fork(void);
void facet_registered_after_fork(bool child);

#endif
