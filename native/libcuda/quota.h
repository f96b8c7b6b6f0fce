/* What allocations count against. */
#ifndef FACET_QUOTA_H
#define FACET_QUOTA_H

#include "context.h"

/* Before memory of a kind is taken: CUDA_ERROR_OUT_OF_MEMORY when there is no room for it. Where that is on its way back to
 * the system it is waited for. returning: bytes of the context that are on their way, at most. */
CUresult facet_quota_claim(const struct facet_context *context, uint32_t kind, uint64_t bytes, uint64_t returning);
/* Waits until the system has back all pages that the context gives back. */
CUresult facet_quota_await_returns(const struct facet_context *context);
/* After the host was told that it is free. */
void facet_quota_release(const struct facet_context *context, uint32_t kind, uint64_t bytes);

#endif
