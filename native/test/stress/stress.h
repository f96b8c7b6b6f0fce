/* A client of many threads against readers in Java, which check every word that comes. Both sides draw the same
 * numbers from the same seed: StressTest in the module host is the other one. */
#ifndef FACET_STRESS_H
#define FACET_STRESS_H

#include <stdint.h>

#include "client.h"

/* What is sent: the type tells the other side that it is one of these. */
#define STRESS_RECORD FACET_COMMAND_UNSUPPORTED

struct stress_record {
    struct facet_record_header header; /* context: the phase */
    uint32_t thread;
    uint32_t number; /* of the thread's records, from 0 */
    uint64_t words[];
};

enum { STRESS_CONTEXTS = 2, STRESS_CROWD = 72 }; /* more callers than there are slots */

struct stress_counts {
    uint64_t seed;
    uint32_t threads, posts, calls, touches, callbacks, mixed;
};
extern struct stress_counts stress;

/* Says what is wrong, with the seed, and ends the process. */
_Noreturn void stress_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- draw.c */
uint64_t stress_mix(uint64_t value);
/* What the record with this number is about: its length, its words. */
uint64_t stress_draw(uint32_t thread, uint32_t number);

/* ---- step.c: threads stop at some steps for a while, and one that is alone until the reader sleeps */
extern _Atomic bool stress_is_alone;

/* ---- send.c: records whose every word follows from thread and number */
void stress_post(uint32_t phase, uint32_t thread, uint32_t number);
void stress_begin_and_cancel(uint32_t phase, uint32_t thread);
/* Checks that the answer is the one to this record. */
void stress_call(uint32_t phase, uint32_t thread, uint32_t number);

/* ---- touch.c: memory that moves */
void stress_map_memory(void);
struct stress_cells; /* what a thread has counted */
struct stress_cells *stress_cells_of(uint32_t thread);
void stress_touch(struct stress_cells *cells, uint64_t draw);
/* Every cell has what was counted: no access was lost in a move. */
void stress_check_cells(struct stress_cells *cells);

/* ---- callback.c: host functions, in order of each thread */
/* most: how many the thread launches before it waits for one; or fewer. */
void stress_launch(uint32_t thread, uint32_t most);
void stress_await_callbacks(uint32_t thread, uint32_t count);

/* ---- sleep.c: how often and on what threads slept, and who was not woken */
struct stress_sleeps {
    uint64_t for_room, for_reply, for_slot, for_callback, lost;
};
struct stress_sleeps stress_sleeps(void);

#endif
