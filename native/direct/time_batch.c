/* Work between two events of the driver. What a device did is what its batches cover, whichever streams they are of: time that several cover counts
 * once. */
#include <stdlib.h>

#include "futex.h"
#include "time_parts.h"
#include "vendor.h"

enum { MOST_KEPT = 64 }; /* batches that have ended and wait for an older one to be counted */

#define ORIGIN_LASTS 1000000000ull

static CUevent take_event(struct timed_context *context)
{
    if (context->spares > 0)
        return context->spare[--context->spares];
    CUevent event;
    return facet_vendor.cuEventCreate(&event, CU_EVENT_BLOCKING_SYNC) == CUDA_SUCCESS ? event : NULL;
}

static void give_event(struct timed_context *context, CUevent event)
{
    if (event == NULL)
        return;
    if (context->spares < (int)(sizeof context->spare / sizeof *context->spare))
        context->spare[context->spares++] = event;
    else
        facet_vendor.cuEventDestroy_v2(event);
}

/* Time is counted from an event, and is a float: the event is not to be long ago. */
static bool begin_counting(struct timed_context *context, CUstream stream)
{
    uint64_t now = facet_nanoseconds();
    if (context->origin != NULL && (context->batches > 0 || now - context->origin_at < ORIGIN_LASTS))
        return true;
    if (context->origin == NULL)
        context->origin = take_event(context);
    context->origin_at = now;
    context->covered = 0;
    return context->origin != NULL && facet_vendor.cuEventRecord(context->origin, stream) == CUDA_SUCCESS;
}

static void append(struct timed_device *device, struct timed_batch *batch)
{
    *device->last = batch;
    device->last = &batch->next;
    device->batches++;
    batch->context->batches++;
}

bool facet_batch_open(struct timed_stream *stream, int64_t room)
{
    struct timed_context *context = stream->context;
    struct timed_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return false;
    batch->context = context;
    batch->stream = stream;
    batch->start = take_event(context);
    batch->end = take_event(context);
    if (batch->start == NULL || batch->end == NULL || !begin_counting(context, stream->handle) ||
        facet_vendor.cuEventRecord(batch->start, stream->handle) != CUDA_SUCCESS) {
        give_event(context, batch->start);
        give_event(context, batch->end);
        free(batch);
        return false;
    }
    batch->opened = facet_nanoseconds();
    batch->estimate = room;
    batch->sample = room == 1;
    batch->waits = atomic_load(&context->device->waits);
    for (int kind = 0; kind < FACET_WORKS; kind++)
        batch->each[kind] = facet_time_estimate(stream, kind);
    stream->open = batch;
    atomic_store(&stream->kinds, 0);
    atomic_store(&stream->left, room);
    append(context->device, batch);
    return true;
}

static uint32_t under_way(const struct timed_stream *stream)
{
    return (uint32_t)atomic_load(&stream->calls);
}

static void tell_calls(struct timed_stream *stream)
{
    uint32_t done = (uint32_t)(atomic_load(&stream->calls) >> 32);
    __atomic_fetch_add(&stream->context->device->page->launches, (uint32_t)(done - stream->counted), __ATOMIC_RELAXED);
    stream->counted = done;
}

void facet_batch_close(struct timed_stream *stream)
{
    struct timed_batch *batch = stream->open;
    if (batch == NULL)
        return;
    /* From here on nobody joins it. What it had no room for was let in all the same when it was the first. */
    int64_t left = atomic_exchange(&stream->left, 0);
    if (!batch->closing)
        batch->estimate -= left;
    batch->closing = true;
    if (under_way(stream) != 0)
        return;
    /* The default stream of a thread is another one for every other thread: leave has recorded what it could. */
    if (stream->thread == NULL || stream->thread == facet_time_thread()) {
        if (facet_time_captured(stream->handle))
            return;
        facet_batch_mark(stream);
    }
    batch->closed = true;
    batch->gaps = batch->waits != atomic_load(&stream->context->device->waits);
    batch->kinds = atomic_load(&stream->kinds);
    stream->ahead += batch->estimate;
    stream->closed++;
    stream->open = NULL;
    tell_calls(stream);
}

void facet_batch_mark(struct timed_stream *stream)
{
    stream->open->marked |= facet_vendor.cuEventRecord(stream->open->end, stream->handle) == CUDA_SUCCESS;
}

void facet_batches_close(struct timed_device *device)
{
    for (struct timed_stream *each = device->streams; each != NULL; each = each->next) {
        if (each->open == NULL)
            continue;
        bool pushed = facet_vendor.cuCtxPushCurrent_v2(each->context->handle) == CUDA_SUCCESS;
        facet_batch_close(each);
        CUcontext popped;
        if (pushed)
            facet_vendor.cuCtxPopCurrent_v2(&popped);
    }
}

struct timed_batch *facet_batch_oldest(struct timed_device *device, const struct timed_stream *stream)
{
    for (struct timed_batch *each = device->first; each != NULL; each = each->next)
        if (each->closed && !each->done && (stream == NULL || each->stream == stream))
            return each;
    return NULL;
}

int64_t facet_batches_ahead(const struct timed_device *device)
{
    int64_t sum = 0;
    for (const struct timed_batch *each = device->first; each != NULL; each = each->next)
        sum += each->done ? 0 : each->estimate;
    return sum;
}

/* ---- their end */

static void discard(struct timed_batch *batch)
{
    give_event(batch->context, batch->start);
    give_event(batch->context, batch->end);
    free(batch);
}

void facet_batch_await(struct timed_batch *batch)
{
    struct timed_context *context = batch->context;
    struct timed_device *device = context->device;
    batch->pins++;
    pthread_mutex_unlock(&device->lock);
    CUcontext popped;
    bool pushed = facet_vendor.cuCtxPushCurrent_v2(context->handle) == CUDA_SUCCESS;
    /* Whatever it answers, nothing of the batch runs any more, or nobody will know. */
    facet_vendor.cuEventSynchronize(batch->end);
    if (pushed)
        facet_vendor.cuCtxPopCurrent_v2(&popped);
    pthread_mutex_lock(&device->lock);
    batch->ended = true;
    batch->pins--;
    if (batch->gone && batch->pins == 0) {
        discard(batch);
        pthread_cond_broadcast(&device->unpinned);
    }
}

/* What one piece of each kind of work takes, by what the batch took. */
static void learn(struct timed_batch *batch, double nanoseconds)
{
    struct timed_stream *stream = batch->stream;
    if (batch->pace != NULL) {
        facet_pace_learn(batch->pace, batch->blocks, nanoseconds);
        return;
    }
    if (stream == NULL || (batch->gaps && !batch->sample))
        return;
    double ratio = nanoseconds / (double)(batch->estimate > 0 ? batch->estimate : 1);
    for (int kind = 0; kind < FACET_WORKS; kind++) {
        if ((batch->kinds & 1u << kind) == 0)
            continue;
        double now = (double)stream->estimates[kind], next = ratio * (double)batch->each[kind];
        if (now > 0 && next < now)
            next = (now + next) / 2; /* longer ones are believed at once: they are what others wait for */
        __atomic_store_n(&stream->estimates[kind], next < 1 ? 1 : next > 1e12 ? (int64_t)1e12 : (int64_t)next, __ATOMIC_RELAXED);
    }
}

/* What is thought of work that is so short that a batch would be too many of it counts for less than its room. */
static double thought(const struct timed_batch *batch)
{
    double part = 1;
    for (int kind = 0; kind < FACET_WORKS && batch->stream != NULL; kind++) {
        double known = (double)batch->stream->estimates[kind] / (double)batch->each[kind];
        if ((batch->kinds & 1u << kind) != 0 && known > 0 && known < part)
            part = known;
    }
    return part * (double)batch->estimate / 1e6;
}

static void measure(struct timed_batch *batch)
{
    struct timed_context *context = batch->context;
    float from, to;
    if (batch->marked && facet_vendor.cuEventElapsedTime(&from, context->origin, batch->start) == CUDA_SUCCESS &&
        facet_vendor.cuEventElapsedTime(&to, context->origin, batch->end) == CUDA_SUCCESS) {
        batch->from = from;
        batch->to = to;
    } else {
        /* By our clock; of a context with a fault the driver tells nothing more. */
        batch->from = (double)(batch->opened - context->origin_at) / 1e6;
        batch->to = (double)(facet_nanoseconds() - context->origin_at) / 1e6;
    }
    /* Where the program waited the device did too. What it did then is what such work takes. */
    if (batch->gaps && !batch->sample && batch->to - batch->from > thought(batch))
        batch->to = batch->from + thought(batch);
    batch->done = true;
    if (batch->stream != NULL) {
        batch->stream->ahead -= batch->estimate;
        batch->stream->closed--;
    }
    learn(batch, (batch->to - batch->from) * 1e6);
}

static bool has_ended(struct timed_batch *batch)
{
    return batch->ended || facet_vendor.cuEventQuery(batch->end) != CUDA_ERROR_NOT_READY;
}

static void take_out(struct timed_device *device, struct timed_batch **link)
{
    struct timed_batch *batch = *link;
    *link = batch->next;
    if (batch->next == NULL)
        device->last = link;
    device->batches--;
    batch->context->batches--;
    batch->gone = true;
    if (batch->pins == 0)
        discard(batch);
}

/* One after the other as they were opened: what begins later covers nothing from before that is not known yet. */
static void count(struct timed_device *device)
{
    while (device->first != NULL && (device->first->done || device->batches > MOST_KEPT)) {
        struct timed_batch **link = &device->first;
        while (*link != NULL && !(*link)->done)
            link = &(*link)->next;
        if (*link == NULL)
            return;
        struct timed_context *context = (*link)->context;
        double from = (*link)->from > context->covered ? (*link)->from : context->covered, to = (*link)->to;
        if (to > context->covered)
            context->covered = to;
        take_out(device, link);
        facet_seat_worked(device, to - from);
    }
}

void facet_batches_reap(struct timed_device *device)
{
    for (struct timed_batch *each = device->first; each != NULL; each = each->next) {
        if (!each->closed || each->done || facet_batch_oldest(device, each->stream) != each)
            continue;
        CUcontext popped;
        bool pushed = facet_vendor.cuCtxPushCurrent_v2(each->context->handle) == CUDA_SUCCESS;
        if (has_ended(each))
            measure(each);
        if (pushed)
            facet_vendor.cuCtxPopCurrent_v2(&popped);
    }
    count(device);
}

void facet_batches_drop(struct timed_context *context)
{
    struct timed_device *device = context->device;
    for (struct timed_batch **link = &device->first; *link != NULL;) {
        if ((*link)->context != context) {
            link = &(*link)->next;
            continue;
        }
        struct timed_batch *batch = *link;
        while (batch->pins > 0)
            pthread_cond_wait(&device->unpinned, &device->lock);
        take_out(device, link);
    }
    while (context->spares > 0)
        facet_vendor.cuEventDestroy_v2(context->spare[--context->spares]);
    if (context->origin != NULL)
        facet_vendor.cuEventDestroy_v2(context->origin);
    context->origin = NULL;
}
