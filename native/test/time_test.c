/* Device time of native/direct: a driver whose kernels only take time, and a page that the test lends from, as the daemon does. */
#include "../direct/time_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "check.h"
#include "futex.h"
#include "session.h"
#include "vendor.h"
#include "work.h"

/* With a line that says what is expected, and what it is instead. */
#define EXPECT(condition, ...)                                        \
    do {                                                              \
        if (!(condition)) {                                           \
            fprintf(stderr, "%s:%d: not true: ", __FILE__, __LINE__); \
            fprintf(stderr, __VA_ARGS__);                             \
            fputc('\n', stderr);                                      \
            facet_failures++;                                         \
        }                                                             \
    } while (0)

/* ---- the driver: each stream does one thing after the other, streams beside each other */

enum { STREAMS = 8, EVENTS = 256 };

struct CUevent_st {
    uint64_t at;
    CUstream stream;
};

static _Atomic uint64_t ends[STREAMS];
static struct CUevent_st events[EVENTS];
static _Atomic int made;
static _Atomic int live;
static bool capturing;
static bool broken;
struct facet_vendor facet_vendor;

static uint64_t now(void)
{
    return facet_nanoseconds();
}

static void sleep_until(uint64_t at)
{
    while (now() < at)
        usleep(20);
}

static CUresult event_create(CUevent *event, unsigned int flags)
{
    EXPECT(flags == CU_EVENT_BLOCKING_SYNC, "events are waited for without spinning");
    if (broken)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *event = &events[atomic_fetch_add(&made, 1) % EVENTS];
    atomic_fetch_add(&live, 1);
    return CUDA_SUCCESS;
}

static CUresult event_destroy(CUevent event)
{
    (void)event;
    atomic_fetch_sub(&live, 1);
    return CUDA_SUCCESS;
}

static CUresult event_record(CUevent event, CUstream stream)
{
    EXPECT(!capturing, "an event was recorded in a capture");
    uint64_t end = atomic_load(&ends[(uintptr_t)stream % STREAMS]), here = now();
    event->at = end > here ? end : here;
    return CUDA_SUCCESS;
}

static CUresult event_query(CUevent event)
{
    return event->at <= now() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

static CUresult event_synchronize(CUevent event)
{
    sleep_until(event->at);
    return CUDA_SUCCESS;
}

static CUresult event_elapsed(float *milliseconds, CUevent start, CUevent end)
{
    *milliseconds = (float)((double)(int64_t)(end->at - start->at) / 1e6);
    return CUDA_SUCCESS;
}

static CUresult push(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

static CUresult pop(CUcontext *context)
{
    *context = NULL;
    return CUDA_SUCCESS;
}

static CUresult synchronize(void)
{
    for (int i = 0; i < STREAMS; i++)
        sleep_until(atomic_load(&ends[i]));
    return CUDA_SUCCESS;
}

static CUresult exchange(CUstreamCaptureMode *mode)
{
    EXPECT(*mode == CU_STREAM_CAPTURE_MODE_RELAXED, "the thread is no part of captures");
    return CUDA_SUCCESS;
}

/* ---- the session */

struct facet_session facet_session;
static struct {
    struct facet_seats_header header;
    struct facet_seat seat;
} page;
static _Atomic bool daemon_there = true;
static char said[256];

CUresult facet_session_check(void)
{
    return daemon_there ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
}

bool facet_session_alive(void)
{
    return daemon_there;
}

bool facet_session_look(void)
{
    return daemon_there;
}

int facet_device_count(void)
{
    return 1;
}

struct facet_seats_header *facet_session_seats(int ordinal)
{
    (void)ordinal;
    return &page.header;
}

void facet_say(const char *format, ...)
{
    snprintf(said, sizeof said, "%s", format);
}

CUresult facet_where(struct facet_where *where)
{
    *where = (struct facet_where){.context = (CUcontext)(uintptr_t)1, .device = 0};
    return CUDA_SUCCESS;
}

bool facet_time_captured(CUstream stream)
{
    (void)stream;
    return capturing;
}

/* ---- what the daemon does */

static uint32_t state(void)
{
    return __atomic_load_n(&page.seat.state, __ATOMIC_SEQ_CST);
}

static void lend(void)
{
    __atomic_store_n(&page.seat.revoked, FACET_TIME_NEVER, __ATOMIC_SEQ_CST);
    __atomic_store_n(&page.seat.state, FACET_SEAT_LENT, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&page.seat.wakes, 1, __ATOMIC_SEQ_CST);
    facet_futex_wake(&page.seat.wakes);
}

static void ask_back(void)
{
    __atomic_store_n(&page.seat.revoked, now(), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&page.seat.wakes, 1, __ATOMIC_SEQ_CST);
    facet_futex_wake(&page.seat.wakes);
}

/* While it is generous it lends to whoever wants. */
static _Atomic bool generous;

static void *attend(void *unused)
{
    (void)unused;
    for (;; usleep(200)) {
        if (!generous)
            continue;
        __atomic_store_n(&page.header.heard, now(), __ATOMIC_SEQ_CST);
        if (state() == FACET_SEAT_AWAY && __atomic_load_n(&page.header.wanted, __ATOMIC_SEQ_CST) > 0)
            lend();
    }
    return NULL;
}

static bool becomes(uint32_t wanted)
{
    for (int i = 0; i < 5000 && state() != wanted; i++)
        usleep(1000);
    return state() == wanted;
}

static bool are_waiting(uint32_t wanted)
{
    for (int i = 0; i < 5000 && __atomic_load_n(&page.header.wanted, __ATOMIC_SEQ_CST) != wanted; i++)
        usleep(1000);
    return __atomic_load_n(&page.header.wanted, __ATOMIC_SEQ_CST) == wanted;
}

static double busy(void)
{
    return (double)__atomic_load_n(&page.seat.busy, __ATOMIC_SEQ_CST) / 1e6;
}

static CUresult launch(int stream, double milliseconds)
{
    struct facet_turn turn;
    CUresult result = facet_time_enter(&turn, FACET_WORK_LAUNCH, (CUstream)(uintptr_t)stream);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t here = now(), before = atomic_load(&ends[stream]);
    atomic_store(&ends[stream], (before > here ? before : here) + (uint64_t)(milliseconds * 1e6));
    return facet_time_leave(&turn, CUDA_SUCCESS);
}

static void *launch_later(void *unused)
{
    (void)unused;
    return (void *)(uintptr_t)launch(3, 1);
}

/* ---- tests */

static void one_kernel_and_then_nothing(void)
{
    double before = busy();
    uint64_t from = now();
    EXPECT(launch(3, 50) == CUDA_SUCCESS, "launched");
    double most = (double)(atomic_load(&ends[3]) - from) / 1e6;
    EXPECT(state() == FACET_SEAT_BUSY, "has the device");
    EXPECT(becomes(FACET_SEAT_IDLE), "nobody waits for the kernel, and its end is seen");
    EXPECT(busy() - before > 49 && busy() - before < most + 1, "charged %.3f ms of %.3f", busy() - before, most);
    EXPECT(__atomic_load_n(&page.header.launches, __ATOMIC_SEQ_CST) >= 1, "launches are counted");
}

static void streams_beside_each_other_count_once(void)
{
    double before = busy();
    uint64_t from = now();
    for (int i = 3; i < 7; i++)
        EXPECT(launch(i, 40) == CUDA_SUCCESS, "launched");
    double most = (double)(atomic_load(&ends[6]) - from) / 1e6;
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
    EXPECT(busy() - before > 39 && busy() - before < most + 1, "charged %.3f ms of %.3f on four streams", busy() - before, most);
}

static void what_is_asked_back_is_given_back(void)
{
    pthread_t thread;
    void *result;
    EXPECT(launch(3, 20) == CUDA_SUCCESS, "launched");
    ask_back();
    uint64_t end = atomic_load(&ends[3]);
    EXPECT(pthread_create(&thread, NULL, launch_later, NULL) == 0, "a thread");
    EXPECT(becomes(FACET_SEAT_AWAY), "given back");
    EXPECT(now() + FACET_TIME_EARLY >= end, "not before its kernel has nearly ended");
    EXPECT(are_waiting(1), "the next launch waits");
    lend();
    pthread_join(thread, &result);
    EXPECT(result == (void *)CUDA_SUCCESS, "and goes on");
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
    EXPECT(are_waiting(0), "nobody waits");
}

static void idle_goes_back_while_others_wait(void)
{
    __atomic_store_n(&page.header.contended, 1, __ATOMIC_SEQ_CST);
    EXPECT(launch(3, 1) == CUDA_SUCCESS, "launched");
    EXPECT(becomes(FACET_SEAT_AWAY), "given back although nobody asked");
    __atomic_store_n(&page.header.contended, 0, __ATOMIC_SEQ_CST);
    lend();
}

static void little_is_under_way_while_others_wait(void)
{
    __atomic_store_n(&page.header.contended, 1, __ATOMIC_SEQ_CST);
    generous = true;
    for (int i = 0; i < 6; i++) {
        EXPECT(launch(4, 10) == CUDA_SUCCESS, "launched");
        int64_t ahead = (int64_t)(atomic_load(&ends[4]) - now());
        EXPECT(i == 0 || ahead < 25000000, "%.3f ms are under way", (double)ahead / 1e6);
    }
    __atomic_store_n(&page.header.contended, 0, __ATOMIC_SEQ_CST);
    EXPECT(launch(4, 1) == CUDA_SUCCESS, "launched");
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
}

static void captures_are_not_timed(void)
{
    double before = busy();
    capturing = true;
    EXPECT(launch(5, 0) == CUDA_SUCCESS, "captured");
    capturing = false;
    EXPECT(busy() == before, "nothing was charged");
}

static void a_driver_without_events(void)
{
    facet_time_context_ends((CUcontext)(uintptr_t)1);
    EXPECT(live == 0, "%d events are left of a context", live);
    broken = true;
    EXPECT(launch(3, 1) == CUDA_SUCCESS, "what it says itself is the program's");
    broken = false;
    EXPECT(launch(3, 1) == CUDA_SUCCESS, "launched");
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
}

static void streams_end(void)
{
    EXPECT(launch(6, 5) == CUDA_SUCCESS, "launched");
    facet_time_stream_ends((CUstream)(uintptr_t)6);
    EXPECT(becomes(FACET_SEAT_IDLE), "what it was given ends all the same");
    EXPECT(launch(6, 1) == CUDA_SUCCESS, "another one with the same handle");
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
}

static void many_threads(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 8; i++)
            EXPECT(pthread_create(&threads[i], NULL, launch_later, NULL) == 0, "a thread");
        if (round % 4 == 0) {
            ask_back();
            usleep(2000); /* whoever still has work gets it back */
        }
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], NULL);
    }
    EXPECT(becomes(FACET_SEAT_IDLE), "ended");
}

static void nothing_runs_without_a_daemon(void)
{
    generous = false;
    __atomic_store_n(&page.seat.state, FACET_SEAT_AWAY, __ATOMIC_SEQ_CST);
    daemon_there = false;
    uint64_t from = now();
    EXPECT(launch(3, 1) == CUDA_ERROR_DEVICE_UNAVAILABLE, "refused");
    EXPECT(now() - from < 5000000000u, "within seconds, of which it is one on a machine that has time");
    daemon_there = true;
    said[0] = 0;
    __atomic_store_n(&page.header.heard, now() - FACET_TIME_SILENT - 1000000000u, __ATOMIC_SEQ_CST);
    usleep(150000); /* it looks now and then */
    EXPECT(launch(3, 1) == CUDA_ERROR_DEVICE_UNAVAILABLE, "refused when the daemon does nothing");
    EXPECT(strstr(said, "the daemon is there") != NULL, "and says so: %s", said);
    __atomic_store_n(&page.header.heard, now(), __ATOMIC_SEQ_CST);
}

int main(void)
{
    facet_vendor.cuEventCreate = event_create;
    facet_vendor.cuEventDestroy_v2 = event_destroy;
    facet_vendor.cuEventRecord = event_record;
    facet_vendor.cuEventQuery = event_query;
    facet_vendor.cuEventSynchronize = event_synchronize;
    facet_vendor.cuEventElapsedTime = event_elapsed;
    facet_vendor.cuCtxPushCurrent_v2 = push;
    facet_vendor.cuCtxPopCurrent_v2 = pop;
    facet_vendor.cuCtxSynchronize = synchronize;
    facet_vendor.cuThreadExchangeStreamCaptureMode = exchange;
    facet_session.seats = &page.header;
    facet_session.bell = eventfd(0, EFD_CLOEXEC);
    page.header.heard = now();
    facet_time_start();
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, attend, NULL) == 0, "a thread");
    lend();
    one_kernel_and_then_nothing();
    streams_beside_each_other_count_once();
    what_is_asked_back_is_given_back();
    idle_goes_back_while_others_wait();
    little_is_under_way_while_others_wait();
    captures_are_not_timed();
    a_driver_without_events();
    streams_end();
    many_threads();
    nothing_runs_without_a_daemon();
    facet_time_forked();
    EXPECT(launch(3, 1) == CUDA_SUCCESS, "a child is the driver's business");
    return CHECK_RESULT();
}
