/* What the program said about managed memory, by ranges of addresses. */
#ifndef FACET_HINTS_H
#define FACET_HINTS_H

#include "client.h"

struct facet_advice {
    bool read_mostly;
    CUmemLocation preferred;
    CUmemLocation prefetched;
    uint64_t accessed_by; /* bit 0: the host, bit 1 + n: device n */
};

static inline bool facet_location_same(CUmemLocation one, CUmemLocation other)
{
    return one.type == other.type && one.id == other.id;
}

/* As calls from before locations say it. */
static inline CUdevice facet_location_device(CUmemLocation location)
{
    switch ((int)location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return location.id;
    case CU_MEM_LOCATION_TYPE_INVALID:
        return CU_DEVICE_INVALID;
    default:
        return CU_DEVICE_CPU;
    }
}

/* Changes what was said about [start, end), in parts about which the same was said. Out of memory: nothing was changed. */
CUresult facet_hints_change(uint64_t start, uint64_t end, void (*change)(struct facet_advice *advice, uint64_t start, uint64_t end, void *data),
                            void *data);
/* Shows all parts of a range; those about which nothing was said, too. */
void facet_hints_each(uint64_t start, uint64_t end, void (*visit)(const struct facet_advice *advice, void *data), void *data);
/* The memory is gone. */
void facet_hints_forget(uint64_t start, uint64_t end);

#endif
