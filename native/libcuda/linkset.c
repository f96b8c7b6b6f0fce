#include <stdlib.h>
#include <string.h>

#include "image.h"

_Static_assert(sizeof(struct facet_container_header) == 16, "the header of a container has 16 bytes");
_Static_assert(sizeof(struct facet_entry_header) == 64, "the header of an entry has 64 bytes");

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

void *facet_link_set(const struct facet_link_part *parts, size_t count, uint32_t registers, size_t *bytes)
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
            .registers = registers,
        };
        memcpy(place, &entry, sizeof entry);
        place += sizeof entry;
        memcpy(place, parts[i].data, parts[i].bytes);
        place += entry.payload_bytes;
    }
    *bytes = whole;
    return image;
}

uint32_t facet_link_registers(const struct facet_image *image)
{
    struct facet_container_header header;
    struct facet_entry_header entry;
    if (image->bytes < sizeof header + sizeof entry || facet_image_kind(image->data) != FACET_IMAGE_CONTAINER)
        return 0;
    memcpy(&header, image->data, sizeof header);
    memcpy(&entry, (const unsigned char *)image->data + sizeof header, sizeof entry);
    return (header.version & FACET_CONTAINER_LINK_SET) != 0 && header.header_bytes == sizeof header ? entry.registers : 0;
}
