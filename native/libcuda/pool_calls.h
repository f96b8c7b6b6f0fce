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
/* A new one, of this device. */
struct facet_pool *facet_pool_create(int device);
/* For cuMemFreeAsync: whether it was memory that other processes may have, or that they have lent. Such is not kept for later. */
bool facet_pool_shared_freed(struct facet_context *context, uint64_t address, CUresult *result);
/* Names a new pool for others, CUDA_ERROR_NOT_SUPPORTED where devices cannot. */
CUresult facet_pool_name(struct facet_pool *pool);
/* A pool that the program has and has not destroyed, or CUDA_ERROR_INVALID_VALUE. */
CUresult facet_pool_named(CUmemoryPool handle, struct facet_pool **pool);

#endif
