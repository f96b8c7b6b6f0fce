#ifndef FACET_LINK_H
#define FACET_LINK_H

#include "objects.h"

struct facet_link_input;
struct facet_jit;

struct facet_link {
    struct facet_object object;
    struct facet_link_input *inputs; /* in reverse order */
    void *image;                     /* after cuLinkComplete */
    struct facet_jit *jit;           /* where its logs go */
};

#endif
