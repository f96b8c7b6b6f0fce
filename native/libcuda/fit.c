#include "occupancy.h"

/* Shared memory of a block is given out in pieces of this size. */
enum { SHARED_GRANULE = 32 };

/* Registers of a thread are given out in so many. */
enum { REGISTER_GRANULE = 8 };

struct facet_multiprocessor facet_multiprocessor_of(const struct facet_device_record *device)
{
    const int32_t *attributes = device->attributes;
    return (struct facet_multiprocessor){
        .count = attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT],
        .blocks = attributes[CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR],
        .threads = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR],
        .shared = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR],
        .warp = attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE],
        .registers = attributes[CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR],
        .block_threads = attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK],
        .block_shared = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK],
        .block_shared_optin = attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN],
    };
}

int facet_blocks_that_fit(const struct facet_multiprocessor *on, unsigned threads, uint64_t shared, unsigned registers)
{
    uint64_t most = on->block_shared_optin > on->block_shared ? (uint64_t)on->block_shared_optin : (uint64_t)on->block_shared;
    if (threads == 0 || threads > (unsigned)on->block_threads || shared > most)
        return 0;
    unsigned warp = on->warp > 0 ? (unsigned)on->warp : 32;
    unsigned rounded = (threads + warp - 1) / warp * warp;
    int fit = on->threads / (int)rounded;
    if (fit > on->blocks)
        fit = on->blocks;
    if (registers > 0) {
        uint64_t each = ((uint64_t)registers + REGISTER_GRANULE - 1) / REGISTER_GRANULE * REGISTER_GRANULE * rounded;
        uint64_t by_registers = (uint64_t)on->registers / each;
        if (by_registers < (uint64_t)fit)
            fit = (int)by_registers;
    }
    if (shared > 0) {
        uint64_t pieces = (shared + SHARED_GRANULE - 1) / SHARED_GRANULE * SHARED_GRANULE;
        uint64_t by_shared = (uint64_t)on->shared / pieces;
        if (by_shared < (uint64_t)fit)
            fit = (int)by_shared;
    }
    return fit > 0 ? fit : 1; /* a block that is allowed at all can run */
}
