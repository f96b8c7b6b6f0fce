/* The memory of the slice, shared by its sessions. Each adds to its own counter and reads all. Every device has
 * its own row of counters. */
#include "session.h"

typedef uint64_t lanes __attribute__((vector_size(32), aligned(8), may_alias));

static size_t row(int device)
{
    return (size_t)facet_device_number(device) * facet_session.slots;
}

/* Every allocation reads all counters, so several at a time. Each is read whole: they are aligned. */
static uint64_t sum(int device)
{
    uint32_t slots = facet_session.slots, i = 0;
    const uint64_t *claimed = facet_session.claimed + row(device);
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

static uint64_t *own(int device)
{
    return &facet_session.claimed[row(device) + facet_session.slot];
}

uint64_t facet_ledger_limit(int device)
{
    uint64_t limit = __atomic_load_n(&facet_session.ledger->limit, __ATOMIC_RELAXED);
    const struct facet_device_record *record = facet_device(device);
    return record != NULL && record->memory < limit ? record->memory : limit;
}

void facet_ledger_read(int device, uint64_t *limit, uint64_t *taken)
{
    *limit = facet_ledger_limit(device);
    *taken = sum(device);
}

bool facet_ledger_take(int device, uint64_t bytes, uint64_t returning)
{
    uint64_t limit = facet_ledger_limit(device);
    __atomic_fetch_add(own(device), bytes, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint64_t taken = sum(device), known = __atomic_load_n(&facet_session.ledger->returning, __ATOMIC_RELAXED);
    if (returning < known)
        returning = known;
    if (taken <= limit && (returning == 0 || (returning <= limit && taken + returning <= limit + limit / FACET_KEPT_PART)))
        return true;
    facet_ledger_release(device, bytes);
    return false;
}

CUresult facet_ledger_claim(int device, uint32_t context, uint64_t bytes, uint64_t returning)
{
    if (bytes > facet_ledger_limit(device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (facet_ledger_take(device, bytes, returning))
        return CUDA_SUCCESS;
    /* Two sessions may both have found the ledger full and taken back what would have fitted: the daemon decides one
     * after the other. And it answers when the system has back enough of what was freed. */
    return facet_wait_claim(context, bytes);
}

void facet_ledger_force(int device, uint64_t bytes)
{
    __atomic_fetch_add(own(device), bytes, __ATOMIC_SEQ_CST);
}

void facet_ledger_release(int device, uint64_t bytes)
{
    __atomic_fetch_sub(own(device), bytes, __ATOMIC_SEQ_CST);
}

uint64_t facet_ledger_own(int device)
{
    return __atomic_load_n(own(device), __ATOMIC_RELAXED);
}

bool facet_ledger_slot(int device, uint32_t slot, struct facet_ledger_program *program)
{
    if (!facet_session_alive() || slot >= facet_session.slots)
        return false;
    size_t at = row(device) + slot;
    uint64_t sample = __atomic_load_n(&facet_session.samples[at], __ATOMIC_RELAXED);
    *program = (struct facet_ledger_program){
        .process = __atomic_load_n(&facet_session.processes[slot], __ATOMIC_RELAXED),
        .contexts = __atomic_load_n(&facet_session.counts[at], __ATOMIC_RELAXED),
        .bytes = __atomic_load_n(&facet_session.claimed[at], __ATOMIC_RELAXED),
        .time = sample >> 7,
        .percent = sample & 127,
    };
    return true;
}

void facet_ledger_context(int device, int more)
{
    size_t at = row(device) + facet_session.slot;
    __atomic_fetch_add(&facet_session.counts[at], (uint32_t)more, __ATOMIC_RELAXED);
}

uint64_t facet_ledger_busy(void)
{
    return __atomic_load_n(&facet_session.ledger->busy, __ATOMIC_RELAXED);
}

/* One more rule of the word that records.table has: LedgerMemory sets it. */
enum { RULE_ON_DEVICE = 2 };

static bool has_rule(uint64_t rule)
{
    return (__atomic_load_n(&facet_session.ledger->rules, __ATOMIC_RELAXED) & rule) != 0;
}

bool facet_ledger_strict(void)
{
    return has_rule(FACET_RULE_STRICT);
}

bool facet_ledger_on_device(void)
{
    return has_rule(RULE_ON_DEVICE);
}
