/* The memory of the slice, shared by its sessions. Each adds to its own counter and reads all. */
#include "session.h"

static uint64_t sum(void)
{
    uint64_t taken = 0;
    uint32_t slots = facet_session.ledger->slots;
    for (uint32_t i = 0; i < slots; i++)
        taken += __atomic_load_n(&facet_session.claimed[i], __ATOMIC_RELAXED);
    return taken;
}

void facet_ledger_read(uint64_t *limit, uint64_t *taken)
{
    *limit = __atomic_load_n(&facet_session.ledger->limit, __ATOMIC_RELAXED);
    *taken = sum();
}

CUresult facet_ledger_claim(uint32_t context, uint64_t bytes)
{
    uint64_t limit = __atomic_load_n(&facet_session.ledger->limit, __ATOMIC_RELAXED);
    if (bytes > limit)
        return CUDA_ERROR_OUT_OF_MEMORY;
    __atomic_fetch_add(facet_session.own, bytes, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (sum() <= limit)
        return CUDA_SUCCESS;
    /* Two sessions may both have found the ledger full and taken back what would have fitted. The
     * daemon decides one after the other. */
    facet_ledger_release(bytes);
    return facet_wait_claim(context, bytes);
}

void facet_ledger_release(uint64_t bytes)
{
    __atomic_fetch_sub(facet_session.own, bytes, __ATOMIC_SEQ_CST);
}

bool facet_ledger_slot(uint32_t slot, uint32_t *process, uint64_t *bytes)
{
    if (!facet_session_alive() || facet_session.processes == NULL || slot >= facet_session.ledger->slots)
        return false;
    *process = __atomic_load_n(&facet_session.processes[slot], __ATOMIC_RELAXED);
    *bytes = __atomic_load_n(&facet_session.claimed[slot], __ATOMIC_RELAXED);
    return true;
}

uint64_t facet_ledger_busy(void)
{
    return __atomic_load_n(&facet_session.ledger->busy, __ATOMIC_RELAXED);
}
