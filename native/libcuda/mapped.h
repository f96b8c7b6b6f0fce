/* Memory at addresses of the program's own choice: reservations, and what is mapped in them. It belongs to no context; every
 * context on a device with the right to it has it. It is never touched from here: what is copied goes by commands.
 * docs/session-protocol.md, Segments */
#ifndef FACET_MAPPED_H
#define FACET_MAPPED_H

#include "memory.h"
#include "tree.h"

#define FACET_GRANULE (UINT64_C(2) << 20) /* sizes are multiples of it */
#define FACET_CHUNK (UINT64_C(32) << 20)  /* a device that maps memory itself does so in pieces that do not cross multiples of it */

/* Physical memory, or an allocation that other processes may open. Its id is the host's number for it. */
struct facet_segment {
    struct facet_object object; /* of an allocation: with its context */
    int device;
    uint64_t bytes;
    unsigned handle_types;     /* that it may be exported as */
    bool allocation;           /* of another process */
    unsigned references;       /* of the program, by handle */
    unsigned mappings;         /* references and mappings with the lock of the calls */
};

/* What is mapped somewhere. */
struct facet_mapping {
    struct facet_tree_node node; /* by address */
    uint64_t bytes;
    uint64_t offset; /* in the segment */
    struct facet_segment *segment;
    uint64_t readable, writable; /* by which devices: a bit each */
    uint64_t buffer;             /* CU_POINTER_ATTRIBUTE_BUFFER_ID */
    bool opened;                 /* by cuIpcOpenMemHandle, and so closed by cuIpcCloseMemHandle alone */
};

/* Calls that change something take turns, since they wait for the host; looking something up does not wait for them. */
void facet_mapped_begin(void);
void facet_mapped_end(void);

/* Addresses that nobody else has; hint: where the program would like them. */
CUresult facet_mapped_reserve(uint64_t bytes, uint64_t alignment, uint64_t hint, uint64_t *address);
/* CUDA_ERROR_INVALID_VALUE unless it is exactly a reservation without mappings. */
CUresult facet_mapped_free(uint64_t address, uint64_t bytes);
/* In one reservation; the host looks whether something is there already. CUDA_ERROR_ALREADY_MAPPED: another program of the slice, on a device that
 * has one space of addresses for all of them. */
CUresult facet_mapped_map(uint64_t address, uint64_t bytes, uint64_t offset, struct facet_segment *segment);
CUresult facet_mapped_unmap(uint64_t address, uint64_t bytes);
CUresult facet_mapped_access(uint64_t address, uint64_t bytes, int device, unsigned access);

/* The mapping that includes an address. */
bool facet_mapped_find(uint64_t address, struct facet_mapping *found);
/* Whether something is mapped at each of the bytes. */
bool facet_mapped_covers(uint64_t address, uint64_t bytes);
/* As if it was an allocation. */
bool facet_mapped_allocation(uint64_t address, struct facet_allocation *found);

/* segment.c, between begin and end */

/* One reference or mapping less: the last one tells the host. */
CUresult facet_segment_drop(struct facet_segment *segment);
/* A segment of a name that another process told. allocation: of cuIpcGetMemHandle, else of a descriptor. */
CUresult facet_segment_open(const uint64_t name[2], bool allocation, struct facet_segment **opened);
/* Whether the device has such memory; and the error when it has none. */
bool facet_segment_possible(int ordinal);
CUresult facet_segment_device(int ordinal);

#endif
