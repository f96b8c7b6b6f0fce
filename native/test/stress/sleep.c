/* Stands between the client and the system's futex (the linker's --wrap=syscall). A sleeper looks every 100 ms whether its
 * daemon is still there, and so nobody would see that it was not woken. Here it sleeps for 10 seconds; when it still
 * sleeps then, and what it waits for is there, the wake-up was lost. */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>

#include "futex.h"
#include "session.h"
#include "stress.h"

enum { SECONDS = 10 };

static struct {
    _Atomic uint64_t for_room, for_reply, for_slot, for_callback, lost;
} counts;

struct stress_sleeps stress_sleeps(void)
{
    return (struct stress_sleeps){.for_room = counts.for_room,
                                  .for_reply = counts.for_reply,
                                  .for_slot = counts.for_slot,
                                  .for_callback = counts.for_callback,
                                  .lost = counts.lost};
}

static uint64_t load(const uint64_t *position)
{
    return __atomic_load_n(position, __ATOMIC_SEQ_CST);
}

static bool any_slot_is_free(void)
{
    for (int i = 0; i < FACET_REPLY_SLOTS; i++)
        if (__atomic_load_n(&facet_session.replies[i].state, __ATOMIC_SEQ_CST) == FACET_REPLY_FREE)
            return true;
    return false;
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static long wait_for(uint32_t *word, uint32_t value)
{
    struct facet_ring_control *commands = facet_session.commands, *callbacks = facet_session.callbacks;
    const char *replies = (const char *)facet_session.replies, *at = (const char *)word;
    bool room = word == &commands->writer_sleeps, callback = word == &callbacks->reader_sleeps;
    bool reply = at >= replies && at < (const char *)(facet_session.replies + FACET_REPLY_SLOTS);
    atomic_fetch_add(room ? &counts.for_room : callback ? &counts.for_callback : reply ? &counts.for_reply : &counts.for_slot, 1);

    uint64_t tail = load(&commands->tail);
    struct timespec longer = {.tv_sec = SECONDS};
    long result = __real_syscall(SYS_futex, word, FUTEX_WAIT, value, &longer, NULL, 0);
    if (result < 0 && errno == ETIMEDOUT) {
        bool there = room       ? load(&commands->tail) != tail || load(&commands->tail) == load(&commands->head)
                     : callback ? load(&callbacks->head) != load(&callbacks->tail)
                     : reply    ? false
                                : any_slot_is_free();
        if (there || __atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
            atomic_fetch_add(&counts.lost, 1);
    }
    return result;
}

long __wrap_syscall(long number, ...)
{
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_futex || (int)arguments[1] != FUTEX_WAIT)
        return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    uint32_t *word = (uint32_t *)arguments[0];
    return wait_for(word, (uint32_t)arguments[2]);
}
