/* What device time is made of, shared by the files time_*.c.
 *
 *   time.c         enter and leave, and the way that costs nothing
 *   time_streams.c which stream of which context
 *   time_batch.c   work between two events of the driver: what it took
 *   time_seat.c    the right to use the device, which the daemon lends
 *   time_tender.c  a thread a device that closes batches and waits for their end; it sleeps while nothing runs
 *
 * A batch is work that a stream was given between two events. While a device has a batch the program is busy there. All of a device is guarded
 * by its lock but for the counters of streams, by which work joins an open batch without a lock. */
#ifndef FACET_DIRECT_TIME_PARTS_H
#define FACET_DIRECT_TIME_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "client.h"
#include "time.h"

enum { FACET_WORKS = FACET_WORK_COPY + 1 };

/* Nanoseconds. */
#define FACET_TIME_NEVER (1ull << 62)
#define FACET_TIME_BATCH 4000000           /* the longest */
#define FACET_TIME_UNKNOWN 20000000         /* what a piece of work may take that was never measured */
#define FACET_TIME_EARLY 600000            /* with so much still under way the device goes to the next: to change hands takes as long */
#define FACET_TIME_LONGEST 2000000000ull   /* what is ahead may wait for what comes behind it: nobody waits for it longer than this */
#define FACET_TIME_LINGER 100000           /* the device is kept so long without work that others wait for */
#define FACET_TIME_LOOK 100000000          /* how often it is looked whether the daemon is there */
#define FACET_TIME_SILENT 10000000000ull   /* a daemon that has not looked for so long does not work */

/* How much is given to the device at a time. What was given goes on to its end, and others wait for it; nothing is to be gained by much, but that
 * the program may do something else meanwhile. */
struct facet_measure {
    int64_t batch; /* one is closed when it is thought to take so long, or nothing more came for so long */
    int64_t ahead; /* so much is given to a stream before somebody waits for the oldest of it */
    int least;     /* batches, however long: the device is not to wait for the program */
};

struct timed_device;

struct timed_context {
    struct timed_context *next;
    CUcontext handle;
    struct timed_device *device;
    int batches;        /* that it has now */
    CUevent origin;     /* times are counted from it */
    uint64_t origin_at; /* by our clock */
    double covered;     /* milliseconds from the origin that were counted */
    CUevent spare[16];
    int spares;
};

struct timed_stream {
    struct timed_stream *next;
    struct timed_context *context;
    CUstream handle;
    const void *thread;       /* whose default stream it is, or NULL */
    _Atomic uint64_t calls;   /* low: under way; high: done */
    _Atomic int64_t left;     /* nanoseconds that the open batch has room for; nothing: it is to be closed, or there is none */
    _Atomic uint32_t kinds;   /* of work in the open batch */
    int64_t estimates[FACET_WORKS]; /* nanoseconds that one took; 0: not known */
    struct timed_batch *open;
    uint32_t opened;          /* batches so far */
    int64_t ahead;            /* nanoseconds that its closed batches are thought to take */
    int closed;               /* how many these are */
    uint32_t counted;         /* calls that were told to the daemon */
};

struct timed_batch {
    struct timed_batch *next;
    struct timed_context *context;
    struct timed_stream *stream; /* NULL: it has ended */
    CUevent start, end;
    uint64_t opened;
    uint64_t waits; /* of the device, when it was opened */
    int64_t estimate, each[FACET_WORKS]; /* nanoseconds that it, and one piece of each kind, was thought to take */
    uint32_t kinds;
    struct facet_pace *pace; /* of the one kernel in it, with so many blocks; NULL: it is of many kinds */
    uint64_t blocks;
    int pins; /* threads that wait for its end */
    bool marked;  /* its end event was recorded, perhaps before the last of its work */
    bool sample;  /* one piece of work by itself */
    bool closing; /* nobody joins it any more */
    bool closed;  /* nothing of it is between enter and leave */
    bool gaps;    /* the program waited in between: not all of its time was work */
    bool ended, done, gone; /* on the device; measured; out of the list */
    double from, to; /* milliseconds from the origin */
};

struct timed_device {
    struct facet_seats_header *page; /* NULL: time is not shared here */
    struct facet_seat *seat;
    pthread_mutex_t lock;
    pthread_cond_t unpinned;
    struct timed_context *contexts;
    struct timed_stream *streams;
    struct timed_batch *first; /* in the order in which they were opened */
    struct timed_batch **last;
    int batches;
    uint32_t waiting;   /* threads that wait for the device */
    uint64_t looked;
    _Atomic uint64_t waits; /* how often the program has waited for something of it */
    bool tended;        /* there is a thread */
    _Atomic bool sleeps; /* it sleeps until it is woken */
};

extern struct timed_device facet_timed[];
extern _Atomic bool facet_time_started;
/* Another one for every thread. */
const void *facet_time_thread(void);
/* Streams end: what threads remember of them holds no longer. */
extern _Atomic uint64_t facet_time_generation;

/* The stream of a call; NULL: it is not timed. Takes the device's lock where it was not the thread's last one. */
struct facet_where;
struct timed_stream *facet_stream_of(const struct facet_where *where, CUstream handle);

/* Nanoseconds of a batch's room that one more piece of work takes. */
int64_t facet_time_estimate(const struct timed_stream *stream, enum facet_work work);

/* ---- time_batch.c; the lock is held */

/* room: nanoseconds; 1: for one piece of work, to see what that takes. */
bool facet_batch_open(struct timed_stream *stream, int64_t room);
/* Unless calls are under way: then the last of them does. */
void facet_batch_close(struct timed_stream *stream);
/* What was given to the stream so far is in its open batch. */
void facet_batch_mark(struct timed_stream *stream);
void facet_batches_close(struct timed_device *device);
/* Sees what has ended, and counts it. */
void facet_batches_reap(struct timed_device *device);
/* Waits for the end of a batch, without the lock meanwhile. */
void facet_batch_await(struct timed_batch *batch);
/* The oldest that was closed and has not ended; of a stream, or of all. */
struct timed_batch *facet_batch_oldest(struct timed_device *device, const struct timed_stream *stream);
/* Nanoseconds that all are thought to take. */
int64_t facet_batches_ahead(const struct timed_device *device);
void facet_batches_drop(struct timed_context *context);

/* ---- time_seat.c; the lock is held */

bool facet_seat_is_contended(const struct timed_device *device);
/* By who else is there. */
struct facet_measure facet_seat_measure(const struct timed_device *device);
bool facet_seat_is_revoked(const struct timed_device *device);
/* Whether work may begin; then it has. */
bool facet_seat_begin(struct timed_device *device);
/* Waits for the device, without the lock meanwhile. */
CUresult facet_seat_await(struct timed_device *device);
/* So much work of this device has ended, at the latest now. */
void facet_seat_worked(struct timed_device *device, double milliseconds);
/* After each change of what is under way: the device may be free, or asked back. */
void facet_seat_settle(struct timed_device *device);
void facet_seat_give(struct timed_device *device);
/* CUDA_SUCCESS while there is a daemon. */
CUresult facet_seat_look(struct timed_device *device, uint64_t now);
void facet_seat_wake(struct timed_device *device);

/* ---- time_tender.c; the lock is held */

void facet_tender_wake(struct timed_device *device);

#endif
