/* Tables of handles.
 *
 * A handle (CUcontext, CUstream, CUevent, CUmodule, CUfunction, ...) is the address of an entry in a
 * table of its kind, so that a wrong one is recognised without following it. Ids on the wire are the
 * indices of the entries. */
#ifndef FACET_OBJECTS_H
#define FACET_OBJECTS_H

#include "client.h"

enum facet_kind {
    FACET_CONTEXT = 1,
    FACET_STREAM,
    FACET_EVENT,
    FACET_MODULE,
    FACET_FUNCTION,
    FACET_LIBRARY,
    FACET_LINK,
    FACET_POOL,
    FACET_KERNEL,
    FACET_ARRAY,
    FACET_GRAPH,
    FACET_NODE,
    FACET_EXEC,
    FACET_USER_OBJECT,
    FACET_MIPMAP,
    FACET_TEXTURE,
    FACET_TEXTURE_REFERENCE,
    FACET_SEGMENT,
    FACET_KINDS
};

struct facet_context;

/* First member of every object. */
struct facet_object {
    _Atomic uint32_t kind; /* 0: the entry is free */
    uint32_t id;
    struct facet_context *context;
};

/* A zeroed entry, or NULL when the table is full. */
void *facet_object_create(enum facet_kind kind, struct facet_context *context);
void facet_object_destroy(void *object);
/* The object, or NULL when the handle is not a living one of this kind. */
void *facet_object(const void *handle, enum facet_kind kind);
/* Whether it is no address of such an object, living or gone. */
bool facet_object_never_was(const void *handle, enum facet_kind kind);
/* The living object with an id. */
void *facet_object_with_id(enum facet_kind kind, uint32_t id);
/* Calls visit for every living object of a kind that belongs to the context (NULL: to any). */
void facet_object_each(enum facet_kind kind, struct facet_context *context, void (*visit)(void *object, void *data), void *data);

#endif
