/* Before and behind every call that gives work to a device. Where a batch of the stream is open and has room, that is two counters and some loads. */
#include "time.h"

#include "futex.h"
#include "session.h"
#include "time_parts.h"
#include "vendor.h"
#include "work.h"

enum { MOST_CALLS = 256 }; /* in a batch, about */
enum { SAMPLED = 8 }; /* of so many batches one is a single piece of work: what that takes is known whatever the program waits for */

/* ---- enter */

/* What one more piece of work is thought to take; one that is not known yet has a batch of its own. */
int64_t facet_time_estimate(const struct timed_stream *stream, enum facet_work work)
{
    int64_t known = __atomic_load_n(&stream->estimates[work], __ATOMIC_RELAXED), least = FACET_TIME_BATCH / MOST_CALLS;
    return known == 0 ? FACET_TIME_UNKNOWN : known > least ? known : least;
}

/* What is to be given to a stream. */
struct order {
    enum facet_work work;
    struct facet_pace *pace; /* NULL: it joins other work */
    uint64_t blocks;
    bool stuck;
};

static bool join(struct timed_stream *stream, enum facet_work work)
{
    atomic_fetch_add(&stream->calls, 1);
    int64_t one = facet_time_estimate(stream, work);
    if (atomic_fetch_sub(&stream->left, one) <= 0)
        return false;
    if ((atomic_load_explicit(&stream->kinds, memory_order_relaxed) & 1u << work) == 0)
        atomic_fetch_or(&stream->kinds, 1u << work);
    return true;
}

/* Lets the oldest batch of the stream go on: about as long as it is thought to take, then in short steps. */
static void pause_for(struct timed_stream *stream, const struct timed_batch *oldest, uint64_t waited)
{
    struct timed_device *device = stream->context->device;
    int64_t left = (oldest->estimate - (int64_t)waited) / 2;
    long step = left < 30000 ? 30000 : left > 500000 ? 500000 : (long)left;
    pthread_mutex_unlock(&device->lock);
    nanosleep(&(struct timespec){.tv_nsec = step}, NULL);
    pthread_mutex_lock(&device->lock);
}

/* Of long ones two are enough: one that runs, and one that follows. Whoever comes waits for all of them. */
static bool is_far_ahead(const struct timed_stream *stream, const struct facet_measure *most)
{
    return stream->ahead >= most->ahead && (stream->closed >= most->least || (stream->closed >= 2 && stream->ahead >= 2 * most->ahead));
}

/* Waits until little enough is ahead in the stream, or the device is asked back. False: it has not ended for long. */
static bool keep_back(struct timed_stream *stream, const struct facet_measure *most)
{
    struct timed_device *device = stream->context->device;
    uint64_t begun = facet_nanoseconds(), now = begun;
    while (now - begun < FACET_TIME_LONGEST && !facet_seat_is_revoked(device)) {
        facet_batches_reap(device);
        facet_seat_settle(device);
        struct timed_batch *oldest = facet_batch_oldest(device, stream);
        if (oldest == NULL || !is_far_ahead(stream, most))
            return true;
        pause_for(stream, oldest, now - begun);
        now = facet_nanoseconds();
    }
    return now - begun < FACET_TIME_LONGEST;
}

static int64_t room_for(struct timed_stream *stream, int64_t batch)
{
    return stream->opened++ % SAMPLED == 0 ? 1 : batch;
}

/* The open batch is for this alone: it has no room for others. */
static void fill(struct timed_stream *stream, const struct order *order)
{
    int64_t known = facet_pace_estimate(order->pace, order->blocks);
    stream->open->pace = order->pace;
    stream->open->blocks = order->blocks;
    atomic_fetch_add(&stream->calls, 1);
    atomic_fetch_sub(&stream->left, known > 0 ? known : FACET_PART);
}

/* Joins a batch, or opens one, as soon as the device is the program's. */
static CUresult begin(struct timed_stream *stream, struct order *order, bool *joined)
{
    enum facet_work work = order->work;
    bool alone = order->pace != NULL;
    struct timed_device *device = stream->context->device;
    CUresult result = facet_seat_look(device, facet_nanoseconds());
    bool kept_back = false;
    while (result == CUDA_SUCCESS) {
        if (!facet_seat_begin(device)) {
            result = facet_seat_await(device);
            continue;
        }
        struct facet_measure most = facet_seat_measure(device);
        if (alone && most.least < 2)
            most.least = 2; /* one runs, and one follows without a gap */
        if (stream->open != NULL && (alone || atomic_load(&stream->left) <= 0))
            facet_batch_close(stream);
        if (stream->open == NULL && is_far_ahead(stream, &most) && !kept_back) {
            order->stuck = !keep_back(stream, &most);
            kept_back = true;
            continue; /* the device may have been asked back meanwhile */
        }
        bool open = stream->open != NULL;
        if (!open && !facet_batch_open(stream, alone ? 1 : room_for(stream, most.batch)))
            return CUDA_SUCCESS; /* the driver has no event for it, and will say itself what is wrong */
        /* Also one that is about to be closed: the last call that leaves does that. */
        if (alone && !open)
            fill(stream, order);
        else if (!join(stream, work))
            atomic_fetch_or(&stream->kinds, 1u << work);
        *joined = true;
        facet_tender_wake(device);
        return CUDA_SUCCESS;
    }
    return result;
}

/* NULL: it is not timed, for the reason that is the result. */
static struct timed_stream *prepare(struct facet_turn *turn, enum facet_work work, CUstream handle, CUresult *result)
{
    turn->work = work;
    turn->stream = handle;
    turn->timed = turn->stuck = false;
    *result = CUDA_SUCCESS;
    struct facet_where where;
    if (!atomic_load_explicit(&facet_time_started, memory_order_acquire) || facet_time_captured(handle))
        return NULL;
    *result = facet_where(&where);
    if (*result != CUDA_SUCCESS) { /* no context: the driver says so. Without a daemon nothing runs */
        *result = facet_session_alive() ? CUDA_SUCCESS : *result;
        return NULL;
    }
    struct timed_stream *stream = facet_stream_of(&where, handle);
    turn->batch = stream;
    return stream;
}

CUresult facet_time_enter(struct facet_turn *turn, enum facet_work work, CUstream handle)
{
    CUresult result;
    struct timed_stream *stream = prepare(turn, work, handle, &result);
    if (stream == NULL)
        return result;
    struct timed_device *device = stream->context->device;
    turn->timed = join(stream, work) && !facet_seat_is_revoked(device);
    if (turn->timed)
        return CUDA_SUCCESS;
    struct order order = {.work = work};
    pthread_mutex_lock(&device->lock);
    atomic_fetch_sub(&stream->calls, 1); /* it does not keep others from closing the batch */
    result = begin(stream, &order, &turn->timed);
    pthread_mutex_unlock(&device->lock);
    return result;
}

CUresult facet_time_enter_alone(struct facet_turn *turn, CUstream handle, struct facet_pace *pace, uint64_t blocks)
{
    CUresult result;
    struct timed_stream *stream = prepare(turn, FACET_WORK_LAUNCH, handle, &result);
    if (stream == NULL)
        return result;
    struct timed_device *device = stream->context->device;
    struct order order = {.work = FACET_WORK_LAUNCH, .pace = pace, .blocks = blocks};
    pthread_mutex_lock(&device->lock);
    result = begin(stream, &order, &turn->timed);
    pthread_mutex_unlock(&device->lock);
    turn->stuck = order.stuck;
    return result;
}

bool facet_time_await(CUstream handle)
{
    static const struct facet_measure nothing = {.ahead = 1, .least = 1};
    CUresult result;
    struct facet_turn turn;
    struct timed_stream *stream = prepare(&turn, FACET_WORK_LAUNCH, handle, &result);
    if (stream == NULL)
        return false;
    struct timed_device *device = stream->context->device;
    pthread_mutex_lock(&device->lock);
    bool ended = keep_back(stream, &nothing);
    pthread_mutex_unlock(&device->lock);
    return ended;
}

void facet_time_forget(const struct facet_pace *pace)
{
    for (int i = 0; i < FACET_DEVICES_MOST && atomic_load(&facet_time_started); i++) {
        struct timed_device *device = &facet_timed[i];
        if (device->page == NULL)
            continue;
        pthread_mutex_lock(&device->lock);
        for (struct timed_batch *each = device->first; each != NULL; each = each->next)
            if (each->pace == pace) {
                each->pace = NULL;
                each->kinds = 0; /* it says nothing of others */
            }
        pthread_mutex_unlock(&device->lock);
    }
}

bool facet_time_in_company(void)
{
    struct facet_where where;
    if (!atomic_load_explicit(&facet_time_started, memory_order_acquire) || facet_where(&where) != CUDA_SUCCESS || where.device < 0 ||
        where.device >= FACET_DEVICES_MOST || facet_timed[where.device].page == NULL)
        return false;
    const struct timed_device *device = &facet_timed[where.device];
    return facet_seat_is_contended(device) || __atomic_load_n(&device->page->company, __ATOMIC_RELAXED) != 0;
}

/* ---- leave */

static bool is_power_of_two(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

CUresult facet_time_leave(struct facet_turn *turn, CUresult result)
{
    if (!turn->timed)
        return result;
    struct timed_stream *stream = turn->batch;
    uint64_t calls = atomic_fetch_add(&stream->calls, (1ull << 32) - 1) + (1ull << 32) - 1;
    bool last_one = (uint32_t)calls == 0 && atomic_load(&stream->left) <= 0;
    bool mark = stream->thread != NULL && is_power_of_two((uint32_t)(calls >> 32) - stream->counted);
    if (!last_one && !mark)
        return result;
    struct timed_device *device = stream->context->device;
    pthread_mutex_lock(&device->lock);
    if (stream->open != NULL && last_one)
        facet_batch_close(stream);
    else if (stream->open != NULL)
        facet_batch_mark(stream);
    if (facet_seat_is_revoked(device))
        facet_seat_settle(device);
    facet_tender_wake(device);
    pthread_mutex_unlock(&device->lock);
    return result;
}
