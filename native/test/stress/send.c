#include "session.h"
#include "stress.h"

/* Most are short, some fill half of the ring. */
static uint32_t words_of(uint64_t draw)
{
    uint64_t most = draw % 4096 == 0 ? facet_session.commands->bytes / 2 : draw % 64 == 0 ? 2048 : 256;
    uint64_t fixed = sizeof(struct stress_record);
    return (uint32_t)(stress_mix(draw + 1) % ((most - fixed) / 8 + 1));
}

static void begin(uint32_t phase, uint32_t thread, uint32_t number, bool waits)
{
    uint64_t draw = stress_draw(thread, number);
    uint32_t words = words_of(draw);
    uint32_t bytes = (uint32_t)sizeof(struct stress_record) + 8 * words;
    struct stress_record *record = facet_command_begin(phase, STRESS_RECORD, bytes, waits);
    if (record == NULL)
        stress_fail("thread %u has no room for its record %u", thread, number);
    record->thread = thread;
    record->number = number;
    for (uint32_t i = 0; i < words; i++)
        record->words[i] = draw + i * UINT64_C(0x9e3779b97f4a7c15);
}

void stress_post(uint32_t phase, uint32_t thread, uint32_t number)
{
    begin(phase, thread, number, false);
    facet_command_post();
}

void stress_begin_and_cancel(uint32_t phase, uint32_t thread)
{
    begin(phase, thread, UINT32_MAX, false);
    facet_command_cancel();
}

void stress_call(uint32_t phase, uint32_t thread, uint32_t number)
{
    uint64_t answer[6] = {0};
    begin(phase, thread, number, true);
    int32_t result = 0;
    if (!facet_command_wait(&result, answer))
        stress_fail("thread %u is left alone with its record %u", thread, number);
    uint64_t draw = stress_draw(thread, number);
    bool right = (uint32_t)result == (uint32_t)(draw >> 40);
    for (uint64_t i = 0; i < 6; i++)
        right = right && answer[i] == stress_mix(draw + i);
    if (!right)
        stress_fail("thread %u has another answer to its record %u: result %u, %llx", thread, number, (unsigned)result,
                    (unsigned long long)answer[0]);
}
