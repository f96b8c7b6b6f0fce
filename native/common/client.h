/* What every library that speaks with the daemon is written with: the session, the ledger of its slice, the ring of
 * commands, and telling the user. */
#ifndef FACET_CLIENT_H
#define FACET_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facet_cuda_commands.h" /* generated: commands, records and the functions that send them */
#include "facet_cuda.h"     /* generated: types and prototypes of the driver API */

/* ---- session.c: the connection to the daemon */

/* Which of the slice's devices the program sees, in which order: fills in their numbers and returns how many. */
typedef int facet_choose_devices(const struct facet_device_record *devices, int count, int *order);
/* Connects once for the process; cuInit does it. Without choose it sees all devices. Returns CUDA_SUCCESS, or why there is no device. In
 * a child that was forked after its parent had connected: CUDA_ERROR_NOT_INITIALIZED. */
CUresult facet_session_open(facet_choose_devices *choose);
/* A variable of the environment that names the socket before FACET_SOCKET does; NULL: none. To be set before the session is opened. */
extern const char *facet_session_variable;
/* FACET_ENGINE_DIRECT for a library that has the vendor's driver beside it. To be set before the session is opened. */
extern uint32_t facet_session_engine;
/* What the daemon lends of a device, with its seat behind it; NULL where time is not shared. */
struct facet_seats_header *facet_session_seats(int ordinal);
/* CUDA_SUCCESS while the session is open, CUDA_ERROR_NOT_INITIALIZED before cuInit and in a forked
 * child, CUDA_ERROR_DEVICE_UNAVAILABLE when the daemon is gone. Every API call that needs the device
 * starts with it, directly or through facet_context_current. Costs a load. */
CUresult facet_session_check(void);
bool facet_session_alive(void);
/* What the library does around a fork, inside of what the session does. To be set before the session is opened. */
void facet_session_around_fork(void (*before)(void), void (*after)(bool child));
/* Looks whether the daemon is still there; when it is not the session is gone. Costs a system call. */
bool facet_session_look(void);
int facet_device_count(void);
const struct facet_device_record *facet_device(int ordinal); /* NULL: no such device */
int facet_device_number(int ordinal); /* of a device that is there: its number among the slice's */
/* Receives the descriptor that the host sent for this context; -1 when the daemon is gone. far: what is mapped with it
 * is not the device's memory, only what programs access of it. */
int facet_session_receive_memory(uint32_t context, bool *far);
volatile struct facet_context_status *facet_context_status(uint32_t context);
/* The ring of due host functions, its data behind it; NULL before the session is open. */
struct facet_ring_control *facet_callback_ring(void);
/* Whether calls of the vendor's driver without a rule are refused; it may change. */
bool facet_ledger_strict(void);
/* Whether its memory has its place on the device before that of others. */
bool facet_ledger_on_device(void);
/* Bytes of a device that the slice has: its limit, which may change while programs run, and what all of its
 * sessions have taken. */
uint64_t facet_ledger_limit(int device);
void facet_ledger_read(int device, uint64_t *limit, uint64_t *taken);
/* Takes bytes of the slice, asking the daemon when the ledger looks full, or when with what was freed and the system does
 * not have back yet there would be too much: then it waits for that. returning: what the caller knows of such memory. */
CUresult facet_ledger_claim(int device, uint32_t context, uint64_t bytes, uint64_t returning);
void facet_ledger_release(int device, uint64_t bytes);
/* Takes bytes where they are seen free; nobody is asked. */
bool facet_ledger_take(int device, uint64_t bytes, uint64_t returning);
/* Takes what the program has already, however much there is. */
void facet_ledger_force(int device, uint64_t bytes);
/* What this session has taken. */
uint64_t facet_ledger_own(int device);
/* A session of the slice by its slot. */
struct facet_ledger_program {
    uint32_t process;  /* as that numbers itself; 0: nobody's */
    uint32_t contexts; /* on the device */
    uint64_t bytes;    /* of the device that it has taken */
    uint64_t time;     /* when it last was busy, in microseconds since 1970; 0: never */
    unsigned percent;  /* of what the slice may use, at that time */
};
/* False when there is no such slot. */
bool facet_ledger_slot(int device, uint32_t slot, struct facet_ledger_program *program);
/* This session has one context more, or less. */
void facet_ledger_context(int device, int more);
/* Device time of the slice in nanoseconds, plus 1; 0 when it is not measured. */
uint64_t facet_ledger_busy(void);

/* ---- command.c: the ring. The generated facet_post_* and facet_wait_* are made of these three. */

/* Whether the daemon knows a command: a program's libraries may be newer. */
bool facet_command_known(uint16_t type);
/* Room for a record, with its header filled in; the ring's lock is held until post or wait.
 * NULL when the daemon is gone. */
void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits);
void facet_command_post(void);
/* Instead of post: nothing is sent. Not for commands that wait. */
void facet_command_cancel(void);
/* False when the daemon is gone. payload: at least 6 words, or NULL. After it the text that kernels printed has been written. */
bool facet_command_wait(int32_t *result, uint64_t *payload);
/* The same in two: the command goes, and its answer is waited for at the slot later. Who starts a second one before the
 * first is finished asks before whether there are plenty of slots: all of them may be with callers who want another. */
int facet_command_start(void);
bool facet_command_finish(int slot, int32_t *result, uint64_t *payload);
bool facet_reply_plenty(void);
/* Writes what kernels printed so far to stdout. */
void facet_output_flush(void);

/* ---- errors */

/* Tells the user and counts a call that is not supported; returns CUDA_ERROR_NOT_SUPPORTED. */
CUresult facet_unsupported(const char *name);
/* Counts alone, for calls whose callers take 'not supported' for an answer like others. */
void facet_count_unsupported(const char *name);
/* As facet_say, but no more than so many lines of a process. */
void facet_say_unsupported(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line on stderr, "facet: ..."; the same text only once. */
void facet_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
