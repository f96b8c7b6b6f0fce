/* The memory of the slice, shared by its sessions. Each adds to its own counter and reads all. */
#include "session.h"

typedef uint64_t lanes __attribute__((vector_size(32), aligned(8), may_alias));

/* Every allocation reads all counters, so several at a time. Each is read whole: they are aligned. */
static uint64_t sum(void)
{
    const uint64_t *claimed = facet_session.claimed;
    uint32_t slots = facet_session.ledger->slots, i = 0;
    lanes even = {0}, odd = {0};
    for (; i + 8 <= slots; i += 8) {
        even += *(const volatile lanes *)(claimed + i);
        odd += *(const volatile lanes *)(claimed + i + 4);
    }
    even += odd;
    uint64_t taken = even[0] + even[1] + even[2] + even[3];
    for (; i < slots; i++)
        taken += __atomic_load_n(&claimed[i], __ATOMIC_RELAXED);
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
