/* Addresses that are given out before there is memory behind them: what graphs allocate when they are launched. */
#ifndef FACET_RESERVE_H
#define FACET_RESERVE_H

#include "context.h"

/* An address of device memory; facet_memory_give ends it, whether there is memory or not. */
CUresult facet_reserve(struct facet_context *context, uint64_t bytes, uint64_t *address);
/* Counts it against the slice, and tells the host. */
CUresult facet_reserve_back(struct facet_context *context, uint64_t address);
/* Takes the memory away, when nothing uses it any more; the address stays. False where only giving back the address does. */
bool facet_reserve_unback(struct facet_context *context, uint64_t address);

#endif
