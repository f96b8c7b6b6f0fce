#include "occupancy.h"

/* Shared memory of a block is given out in pieces of this size. */
enum { SHARED_GRANULE = 32 };

struct facet_multiprocessor facet_multiprocessor_of(const struct facet_device_record *device)
{
    const int32_t *attributes = device->attributes;
    return (struct facet_multiprocessor){
        .count = attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT],
        .blocks = attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR],
        .threads = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR],
        .shared = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR],
        .warp = attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE],
        .block_threads = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK],
        .block_shared = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK],
        .block_shared_optin = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN],
    };
}

int facet_blocks_that_fit(const struct facet_multiprocessor *on, unsigned threads, uint64_t shared)
{
    uint64_t most = on->block_shared_optin > on->block_shared ? (uint64_t)on->block_shared_optin : (uint64_t)on->block_shared;
    if (threads == 0 || threads > (unsigned)on->block_threads || shared > most)
        return 0;
    unsigned warp = on->warp > 0 ? (unsigned)on->warp : 32;
    int fit = on->threads / (int)((threads + warp - 1) / warp * warp);
    if (fit > on->blocks)
        fit = on->blocks;
    if (shared > 0) {
        uint64_t pieces = (shared + SHARED_GRANULE - 1) / SHARED_GRANULE * SHARED_GRANULE;
        uint64_t by_shared = (uint64_t)on->shared / pieces;
        if (by_shared < (uint64_t)fit)
            fit = (int)by_shared;
    }
    return fit > 0 ? fit : 1; /* a block that is allowed at all can run */
}
