#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "cubin.h"

static const unsigned char container_magic[] = {0x50, 0xED, 0x55, 0xBA};
static const unsigned char wrapper_magic[] = {0xB1, 0x43, 0x62, 0x46};
static const unsigned char elf_magic[] = {0x7F, 'E', 'L', 'F'};

/* Stops at the first difference: a short text may end where its page does. */
static bool starts_with(const unsigned char *image, const unsigned char magic[4])
{
    for (int i = 0; i < 4; i++) {
        if (image[i] != magic[i])
            return false;
    }
    return true;
}

enum facet_image_kind facet_image_kind(const void *image)
{
    const unsigned char *first = image;
    if (starts_with(first, container_magic))
        return FACET_IMAGE_CONTAINER;
    if (starts_with(first, wrapper_magic))
        return FACET_IMAGE_WRAPPER;
    if (starts_with(first, elf_magic))
        return FACET_IMAGE_CUBIN;
    bool text = (*first >= ' ' && *first < 0x7F) || (*first >= '\t' && *first <= '\r');
    return text ? FACET_IMAGE_PTX : FACET_IMAGE_NONE;
}

static size_t container_bytes(const void *image)
{
    struct facet_container_header header;
    memcpy(&header, image, sizeof header);
    if (header.header_bytes < sizeof header || header.bytes > SIZE_MAX / 2)
        return 0;
    return header.header_bytes + (size_t)header.bytes;
}

size_t facet_image_bytes(const void *image)
{
    switch (facet_image_kind(image)) {
    case FACET_IMAGE_PTX:
        return strlen(image) + 1;
    case FACET_IMAGE_CONTAINER:
        return container_bytes(image);
    case FACET_IMAGE_WRAPPER:
        return sizeof(struct facet_wrapper);
    case FACET_IMAGE_CUBIN:
        return facet_cubin_bytes(image);
    case FACET_IMAGE_NONE:
        break;
    }
    return 0;
}

static enum facet_image_problem open_container(const void *image, size_t bytes, struct facet_image *opened)
{
    if (bytes != 0 && bytes < sizeof(struct facet_container_header))
        return FACET_IMAGE_UNKNOWN;
    size_t whole = container_bytes(image);
    if (whole == 0 || (bytes != 0 && whole > bytes))
        return FACET_IMAGE_UNKNOWN;
    *opened = (struct facet_image){.data = image, .bytes = whole};
    return FACET_IMAGE_FINE;
}

static enum facet_image_problem open_prelinked(const struct facet_wrapper *wrapper, struct facet_image *opened)
{
    size_t count = 0;
    while (wrapper->prelinked[count] != NULL)
        count++;
    struct facet_link_part *parts = calloc(count + 1, sizeof *parts);
    if (parts == NULL)
        return FACET_IMAGE_NO_MEMORY;
    size_t taken = 0;
    for (size_t i = 0; i <= count; i++) {
        const void *container = i < count ? wrapper->prelinked[i] : wrapper->container;
        if (container == NULL || facet_image_kind(container) != FACET_IMAGE_CONTAINER)
            continue;
        size_t bytes = container_bytes(container);
        if (bytes > sizeof(struct facet_container_header)) { /* nvcc leaves the last one empty */
            parts[taken++] = (struct facet_link_part){container, bytes, true};
        }
    }
    enum facet_image_problem problem = FACET_IMAGE_UNKNOWN;
    if (taken > 0) {
        opened->owned = facet_link_set(parts, taken, 0, &opened->bytes);
        opened->data = opened->owned;
        problem = opened->owned == NULL ? FACET_IMAGE_NO_MEMORY : FACET_IMAGE_FINE;
    }
    free(parts);
    return problem;
}

static enum facet_image_problem open_wrapper(const void *image, struct facet_image *opened)
{
    struct facet_wrapper wrapper;
    memcpy(&wrapper, image, sizeof wrapper);
    if (wrapper.version == 2 && wrapper.prelinked != NULL)
        return open_prelinked(&wrapper, opened);
    if (wrapper.container == NULL || facet_image_kind(wrapper.container) != FACET_IMAGE_CONTAINER)
        return FACET_IMAGE_UNKNOWN;
    return open_container(wrapper.container, 0, opened);
}

/* Machine code runs by what it was made from, if it carries that. */
static enum facet_image_problem open_cubin(const void *image, size_t bytes, struct facet_image *opened)
{
    size_t origin_bytes = 0;
    const void *origin = bytes != 0 && !facet_cubin_is(image, bytes) ? NULL : facet_cubin_origin(image, bytes, &origin_bytes);
    if (origin == NULL)
        return FACET_IMAGE_IS_CUBIN;
    if (origin_bytes >= sizeof(struct facet_container_header) && facet_image_kind(origin) == FACET_IMAGE_CONTAINER)
        return open_container(origin, origin_bytes, opened);
    if (facet_image_kind(origin) != FACET_IMAGE_PTX)
        return FACET_IMAGE_IS_CUBIN;
    *opened = (struct facet_image){.data = origin, .bytes = origin_bytes};
    return FACET_IMAGE_FINE;
}

enum facet_image_problem facet_image_open(const void *image, size_t bytes, struct facet_image *opened)
{
    *opened = (struct facet_image){0};
    if (bytes != 0 && bytes < 4)
        return FACET_IMAGE_UNKNOWN;
    switch (facet_image_kind(image)) {
    case FACET_IMAGE_PTX:
        *opened = (struct facet_image){.data = image, .bytes = bytes != 0 ? bytes : strlen(image) + 1};
        return FACET_IMAGE_FINE;
    case FACET_IMAGE_CONTAINER:
        return open_container(image, bytes, opened);
    case FACET_IMAGE_WRAPPER:
        return bytes != 0 && bytes < sizeof(struct facet_wrapper) ? FACET_IMAGE_UNKNOWN : open_wrapper(image, opened);
    case FACET_IMAGE_CUBIN:
        return open_cubin(image, bytes, opened);
    case FACET_IMAGE_NONE:
        break;
    }
    return FACET_IMAGE_UNKNOWN;
}

/* Archives align their members to 2 bytes, so no more can be expected of what is in them. */
bool facet_image_next(const void *data, size_t bytes, size_t *from, struct facet_image *container)
{
    const unsigned char *start = data;
    for (size_t at = *from; at + sizeof(struct facet_container_header) <= bytes; at += 2) {
        if (!starts_with(start + at, container_magic) || open_container(start + at, bytes - at, container) != FACET_IMAGE_FINE)
            continue;
        *from = at + container->bytes;
        return true;
    }
    return false;
}
