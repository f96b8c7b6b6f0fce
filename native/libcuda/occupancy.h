/* How many blocks fit on a multiprocessor: the sum that the device makes for cooperative launches, and by registers, of which a
 * kernel's number is an estimate. */
#ifndef FACET_OCCUPANCY_H
#define FACET_OCCUPANCY_H

#include "client.h"

/* The multiprocessor as far as the sum needs it; taken from the device's attributes. */
struct facet_multiprocessor {
    int count;
    int blocks;
    int threads;
    int shared;
    int warp;
    int registers;
    int block_threads; /* limits of a block */
    int block_shared;
    int block_shared_optin;
};

struct facet_multiprocessor facet_multiprocessor_of(const struct facet_device_record *device);
/* 0 when not even one fits. shared: static and dynamic together; registers: of a thread. */
int facet_blocks_that_fit(const struct facet_multiprocessor *on, unsigned threads, uint64_t shared, unsigned registers);

#endif
