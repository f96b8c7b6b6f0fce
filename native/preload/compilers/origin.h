/* What a link is made of, gathered as parts that the host links when the result is loaded. */
#ifndef FACET_PRELOAD_ORIGIN_H
#define FACET_PRELOAD_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../libcuda/image.h"

struct facet_parts {
    struct facet_link_part *parts;
    size_t count;
    uint32_t registers; /* a limit that was given; 0: none */
    bool incomplete; /* no memory, or code without PTX */
};

/* One input, as a program gave it: PTX with its 0, container, cubin that carries its origin, object file, archive. It must stay. */
void facet_parts_add(struct facet_parts *parts, const void *data, size_t bytes);

/* Whether a container, or what is inside of other data, has code for the vendor's optimizer at link time. */
bool facet_has_intermediate(const void *data, size_t bytes);

/* All of them as one image, to be freed; NULL: there is none. */
void *facet_parts_image(const struct facet_parts *parts, size_t *bytes);

void facet_parts_free(struct facet_parts *parts);

#endif
