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

CUresult facet_quota_claim(const struct facet_context *context, uint32_t kind, uint64_t bytes)
{
    switch (kind) {
    case FACET_MEMORY_PINNED:
        return claim_host(&pinned, machine(), bytes);
    case FACET_MEMORY_STAGING:
        return claim_host(&staging, FACET_STAGING_BYTES, bytes);
    default:
        return facet_ledger_claim(context->device, context->object.id, bytes);
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
