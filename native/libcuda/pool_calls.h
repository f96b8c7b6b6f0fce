/* Between the pools and the calls that use them. */
#ifndef FACET_POOL_CALLS_H
#define FACET_POOL_CALLS_H

#include "pool.h"

CUresult facet_pool_take(struct facet_pool *pool, struct facet_context *context, const struct facet_stream *stream, uint64_t bytes,
                         uint64_t *address);
CUresult facet_pool_give(struct facet_context *context, const struct facet_stream *stream, uint64_t address);
/* Gives idle memory back to the slice until no more than this is kept; whether any was. */
void facet_pool_shrink(struct facet_pool *pool, uint64_t keep);
void facet_pool_trim_to(struct facet_pool *pool, uint64_t keep);
/* A pool that the program has and has not destroyed, or CUDA_ERROR_INVALID_VALUE. */
CUresult facet_pool_named(CUmemoryPool handle, struct facet_pool **pool);

#endif
