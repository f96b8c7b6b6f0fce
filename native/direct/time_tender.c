/* A thread for each device that is used: it closes batches to which nothing more comes, waits for their end, and gives the device back. It sleeps
 * in the driver while something runs, and in the system while nothing does. */
#include <signal.h>

#include "futex.h"
#include "time_parts.h"
#include "vendor.h"

enum { STACK_BYTES = 512 << 10 };

static uint32_t wakes(const struct timed_device *device)
{
    return __atomic_load_n(&device->seat->wakes, __ATOMIC_SEQ_CST);
}

enum { FOR_EVER = -1 };

/* Until somebody wakes it, or the time is over. */
static void sleep_for(struct timed_device *device, uint32_t seen, long nanoseconds)
{
    pthread_mutex_unlock(&device->lock);
    if (nanoseconds == FOR_EVER)
        syscall(SYS_futex, &device->seat->wakes, FUTEX_WAIT, seen, NULL, NULL, 0);
    else
        facet_futex_wait(&device->seat->wakes, seen, nanoseconds);
    pthread_mutex_lock(&device->lock);
}

static void close_old(struct timed_device *device)
{
    uint64_t now = facet_nanoseconds(), most = (uint64_t)facet_seat_measure(device).batch;
    for (struct timed_stream *each = device->streams; each != NULL; each = each->next) {
        if (each->open == NULL || now - each->open->opened < most)
            continue;
        CUcontext popped;
        bool pushed = facet_vendor.cuCtxPushCurrent_v2(each->context->handle) == CUDA_SUCCESS;
        facet_batch_close(each);
        if (pushed)
            facet_vendor.cuCtxPopCurrent_v2(&popped);
    }
}

/* Nothing is under way. More may come at once; then the device stays here although others wait. */
static void rest(struct timed_device *device, uint32_t seen)
{
    bool asked = facet_seat_is_contended(device) && __atomic_load_n(&device->seat->state, __ATOMIC_SEQ_CST) == FACET_SEAT_IDLE;
    atomic_store(&device->sleeps, true);
    sleep_for(device, seen, asked ? FACET_TIME_LINGER : FOR_EVER);
    atomic_store(&device->sleeps, false);
    if (asked && device->batches == 0 && __atomic_load_n(&device->seat->state, __ATOMIC_SEQ_CST) == FACET_SEAT_IDLE)
        facet_seat_give(device);
}

static void *tend(void *argument)
{
    struct timed_device *device = argument;
    /* What it does is no part of a capture, whoever captures. */
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    facet_vendor.cuThreadExchangeStreamCaptureMode(&mode);
    pthread_mutex_lock(&device->lock);
    for (;;) {
        uint32_t seen = wakes(device);
        facet_seat_settle(device);
        struct timed_batch *oldest = facet_batch_oldest(device, NULL);
        if (oldest != NULL) {
            facet_batch_await(oldest);
            facet_batches_reap(device);
        } else if (device->batches > 0) {
            sleep_for(device, seen, (long)facet_seat_measure(device).batch);
            close_old(device);
        } else {
            rest(device, seen);
        }
    }
    return NULL;
}

void facet_tender_wake(struct timed_device *device)
{
    if (!device->tended) {
        pthread_attr_t attributes;
        pthread_t thread;
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before); /* signals are for the program's own threads */
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, STACK_BYTES);
        device->tended = pthread_create(&thread, &attributes, tend, device) == 0;
        pthread_attr_destroy(&attributes);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    } else if (atomic_exchange(&device->sleeps, false)) {
        facet_seat_wake(device);
    }
}
