/* What a program may hand over as code: PTX text, a fat binary, the wrapper that nvcc puts around
 * one, or a cubin. */
#ifndef FACET_IMAGE_H
#define FACET_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum facet_image_kind { FACET_IMAGE_NONE, FACET_IMAGE_PTX, FACET_IMAGE_CONTAINER, FACET_IMAGE_WRAPPER, FACET_IMAGE_CUBIN };

#define FACET_CONTAINER_MAGIC UINT32_C(0xBA55ED50)

enum {
    FACET_CONTAINER_LINK_SET = 0x8000, /* in the version: entries are linked, not chosen from */
    FACET_ENTRY_PTX = 1,
    FACET_ENTRY_CONTAINER = 0x4653,
};

struct facet_container_header {
    uint32_t magic;
    uint16_t version;
    uint16_t header_bytes;
    uint64_t bytes; /* of what follows the header */
};

struct facet_entry_header {
    uint16_t kind;
    uint16_t version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes;
    uint32_t registers; /* in a link set: the most that a thread is said to have; 0: any */
    uint32_t unused;
    uint32_t architecture;
    uint32_t unused2[2];
    uint64_t flags;
    uint64_t unused3;
    uint64_t uncompressed_bytes;
};

/* What nvcc's host code registers: version 1 has a container, version 2 an array of containers,
 * ended by NULL, that are to be linked. */
struct facet_wrapper {
    uint32_t magic;
    uint32_t version;
    const void *container;
    const void *const *prelinked;
};

/* Looks at no more bytes than it takes to tell. */
enum facet_image_kind facet_image_kind(const void *image);

/* An image as the host takes it: PTX or a container. */
struct facet_image {
    const void *data;
    size_t bytes;
    void *owned; /* to be freed, or NULL */
};

enum facet_image_problem {
    FACET_IMAGE_FINE,
    FACET_IMAGE_UNKNOWN,   /* no kind that we know, or cut off */
    FACET_IMAGE_IS_CUBIN,  /* machine code of a real GPU */
    FACET_IMAGE_NO_MEMORY,
};

/* bytes: how many there are, 0 when nobody knows. */
enum facet_image_problem facet_image_open(const void *image, size_t bytes, struct facet_image *opened);

/* The next container inside other data, from *from on, which is moved behind it. */
bool facet_image_next(const void *data, size_t bytes, size_t *from, struct facet_image *container);

struct facet_link_part {
    const void *data;
    size_t bytes;
    bool container;
};

/* A container whose entries are linked with each other (docs/session-protocol.md); NULL: no memory. registers: as in an
 * entry's header. */
void *facet_link_set(const struct facet_link_part *parts, size_t count, uint32_t registers, size_t *bytes);

/* Of an image that was opened: the registers that its link set says; 0: it is none, or says nothing. */
uint32_t facet_link_registers(const struct facet_image *image);

/* The smaller one of two limits, of which 0 is none. */
static inline uint32_t facet_fewer_registers(uint32_t one, uint32_t other)
{
    return one == 0 || (other != 0 && other < one) ? other : one;
}

/* Bytes of an image that has no size of its own: PTX text, fat binary, wrapper, cubin; 0 when it is none. */
size_t facet_image_bytes(const void *image);

#endif
