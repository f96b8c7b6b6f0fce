#include <stdlib.h>
#include <string.h>

#include "image.h"

_Static_assert(sizeof(struct facet_container_header) == 16, "the header of a container has 16 bytes");
_Static_assert(sizeof(struct facet_entry_header) == 64, "the header of an entry has 64 bytes");

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

void *facet_link_set(const struct facet_link_part *parts, size_t count, size_t *bytes)
{
    size_t whole = sizeof(struct facet_container_header);
    for (size_t i = 0; i < count; i++)
        whole += sizeof(struct facet_entry_header) + padded(parts[i].bytes);
    unsigned char *image = calloc(1, whole);
    if (image == NULL)
        return NULL;
    struct facet_container_header header = {
        .magic = FACET_CONTAINER_MAGIC,
        .version = 1 | FACET_CONTAINER_LINK_SET,
        .header_bytes = sizeof header,
        .bytes = whole - sizeof header,
    };
    memcpy(image, &header, sizeof header);
    unsigned char *place = image + sizeof header;
    for (size_t i = 0; i < count; i++) {
        struct facet_entry_header entry = {
            .kind = parts[i].container ? FACET_ENTRY_CONTAINER : FACET_ENTRY_PTX,
            .version = 0x101,
            .header_bytes = sizeof entry,
            .payload_bytes = padded(parts[i].bytes),
        };
        memcpy(place, &entry, sizeof entry);
        place += sizeof entry;
        memcpy(place, parts[i].data, parts[i].bytes);
        place += entry.payload_bytes;
    }
    *bytes = whole;
    return image;
}
