/* What allocations count against: the slice's part of a device, or the bounds of host memory. */
#include "quota.h"

#include <unistd.h>

/* Host memory of this process, in all of its contexts. */
static _Atomic uint64_t pinned, staging;

/* Bounded like the daemon does it: by the memory of the machine. */
static uint64_t machine(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static CUresult claim_host(_Atomic uint64_t *counter, uint64_t most, uint64_t bytes)
{
    uint64_t present = atomic_load(counter);
    do {
        if (bytes > most || present > most - bytes)
            return CUDA_ERROR_OUT_OF_MEMORY;
    } while (!atomic_compare_exchange_weak(counter, &present, present + bytes));
    return CUDA_SUCCESS;
}

CUresult facet_quota_await_returns(const struct facet_context *context)
{
    return facet_wait_claim(context->object.id, 0);
}

/* Pinned memory has no limit but the machine's: not much of it is taken while much is on its way back. */
static CUresult claim_pinned(const struct facet_context *context, uint64_t bytes, uint64_t returning)
{
    uint64_t most = machine();
    if (returning != 0 && bytes + returning > most / FACET_KEPT_PART) {
        CUresult result = facet_quota_await_returns(context);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return claim_host(&pinned, most, bytes);
}

CUresult facet_quota_claim(const struct facet_context *context, uint32_t kind, uint64_t bytes, uint64_t returning)
{
    switch (kind) {
    case FACET_MEMORY_PINNED:
        return claim_pinned(context, bytes, returning);
    case FACET_MEMORY_STAGING:
        return claim_host(&staging, FACET_STAGING_BYTES, bytes);
    default:
        return facet_ledger_claim(context->device, context->object.id, bytes, returning);
    }
}

void facet_quota_release(const struct facet_context *context, uint32_t kind, uint64_t bytes)
{
    switch (kind) {
    case FACET_MEMORY_PINNED:
        atomic_fetch_sub(&pinned, bytes);
        break;
    case FACET_MEMORY_STAGING:
        atomic_fetch_sub(&staging, bytes);
        break;
    default:
        facet_ledger_release(context->device, bytes);
    }
}
