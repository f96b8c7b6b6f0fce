#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "cubin.h"

enum { ENTRY_INTERMEDIATE = 8 }; /* kind of an entry, as nvcc -dlto writes it */

static void add(struct facet_parts *parts, const void *data, size_t bytes, bool container)
{
    struct facet_link_part *more = realloc(parts->parts, (parts->count + 1) * sizeof *more);
    if (more == NULL) {
        parts->incomplete = true;
        return;
    }
    more[parts->count++] = (struct facet_link_part){data, bytes, container};
    parts->parts = more;
}

/* Calls visit for the entries of a container, which was checked to be whole. */
static void each_entry(const unsigned char *container, size_t bytes,
                       void (*visit)(const struct facet_entry_header *entry, const unsigned char *payload, void *data), void *data)
{
    struct facet_container_header header;
    memcpy(&header, container, sizeof header);
    size_t at = header.header_bytes;
    struct facet_entry_header entry;
    while (at <= bytes && bytes - at >= sizeof entry) {
        memcpy(&entry, container + at, sizeof entry);
        size_t left = bytes - at;
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left || entry.payload_bytes > left - entry.header_bytes)
            return;
        visit(&entry, container + at + entry.header_bytes, data);
        at += entry.header_bytes + (size_t)entry.payload_bytes;
    }
}

static void add_entry(const struct facet_entry_header *entry, const unsigned char *payload, void *data)
{
    struct facet_parts *parts = data;
    parts->registers = facet_fewer_registers(parts->registers, entry->registers);
    if (entry->kind == FACET_ENTRY_CONTAINER)
        add(parts, payload, facet_image_bytes(payload), true);
    else
        add(parts, payload, strnlen((const char *)payload, entry->payload_bytes) + 1, false);
}

/* A link that was made before is taken apart: its parts are linked with the others. */
static void add_container(struct facet_parts *parts, const void *data, size_t bytes)
{
    struct facet_container_header header;
    memcpy(&header, data, sizeof header);
    if ((header.version & FACET_CONTAINER_LINK_SET) != 0)
        each_entry(data, bytes, add_entry, parts);
    else
        add(parts, data, bytes, true);
}

static bool is_archive(const void *data, size_t bytes)
{
    static const char mark[] = "!<arch>";
    return bytes >= sizeof mark && memcmp(data, mark, sizeof mark - 1) == 0;
}

void facet_parts_add(struct facet_parts *parts, const void *data, size_t bytes)
{
    struct facet_image opened;
    size_t before = parts->count;
    size_t from = 0;
    if (is_archive(data, bytes) || bytes < sizeof(uint32_t) || facet_image_kind(data) == FACET_IMAGE_WRAPPER ||
        facet_image_open(data, bytes, &opened) != FACET_IMAGE_FINE) {
        while (facet_image_next(data, bytes, &from, &opened))
            add_container(parts, opened.data, opened.bytes);
    } else if (facet_image_kind(opened.data) == FACET_IMAGE_CONTAINER) {
        add_container(parts, opened.data, opened.bytes);
    } else {
        add(parts, opened.data, strnlen(opened.data, opened.bytes - 1) + 1, false);
    }
    parts->incomplete |= parts->count == before;
}

static void look(const struct facet_entry_header *entry, const unsigned char *payload, void *data)
{
    (void)payload;
    *(bool *)data |= entry->kind == ENTRY_INTERMEDIATE;
}

bool facet_has_intermediate(const void *data, size_t bytes)
{
    struct facet_image container;
    size_t from = 0;
    bool found = false;
    while (!found && facet_image_next(data, bytes, &from, &container))
        each_entry(container.data, container.bytes, look, &found);
    return found;
}

void *facet_parts_image(const struct facet_parts *parts, size_t *bytes)
{
    if (parts->incomplete || parts->count == 0)
        return NULL;
    if (parts->count > 1 || parts->registers != 0)
        return facet_link_set(parts->parts, parts->count, parts->registers, bytes);
    void *copy = malloc(parts->parts->bytes);
    if (copy != NULL)
        memcpy(copy, parts->parts->data, parts->parts->bytes);
    *bytes = parts->parts->bytes;
    return copy;
}

void facet_parts_free(struct facet_parts *parts)
{
    free(parts->parts);
    *parts = (struct facet_parts){0};
}
