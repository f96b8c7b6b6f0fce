/* Streams and contexts as they are known here: found when they are used first, forgotten when they end. */
#include <stdlib.h>

#include "session.h"
#include "time_parts.h"
#include "vendor.h"
#include "work.h"

struct timed_device facet_timed[FACET_DEVICES_MOST];
_Atomic uint64_t facet_time_generation;

_Atomic bool facet_time_started;
static __thread char thread_mark;
static __thread struct {
    uint64_t generation;
    CUcontext context;
    CUstream handle;
    struct timed_stream *stream;
} last;

const void *facet_time_thread(void)
{
    return &thread_mark;
}

static struct timed_context *find_context(struct timed_device *device, CUcontext handle, bool make)
{
    for (struct timed_context *each = device->contexts; each != NULL; each = each->next)
        if (each->handle == handle)
            return each;
    struct timed_context *context = make ? calloc(1, sizeof *context) : NULL;
    if (context != NULL) {
        context->handle = handle;
        context->device = device;
        context->next = device->contexts;
        device->contexts = context;
    }
    return context;
}

static struct timed_stream *find_stream(struct timed_context *context, CUstream handle)
{
    const void *thread = handle == CU_STREAM_PER_THREAD ? facet_time_thread() : NULL;
    struct timed_device *device = context->device;
    for (struct timed_stream *each = device->streams; each != NULL; each = each->next)
        if (each->context == context && each->handle == handle && each->thread == thread)
            return each;
    struct timed_stream *stream = calloc(1, sizeof *stream);
    if (stream != NULL) {
        stream->context = context;
        stream->handle = handle;
        stream->thread = thread;
        stream->next = device->streams;
        device->streams = stream;
    }
    return stream;
}

struct timed_stream *facet_stream_of(const struct facet_where *where, CUstream handle)
{
    uint64_t generation = atomic_load_explicit(&facet_time_generation, memory_order_acquire);
    if (last.stream != NULL && last.context == where->context && last.handle == handle && last.generation == generation)
        return last.stream;
    if (where->device < 0 || where->device >= FACET_DEVICES_MOST)
        return NULL;
    struct timed_device *device = &facet_timed[where->device];
    if (device->page == NULL)
        return NULL;
    pthread_mutex_lock(&device->lock);
    struct timed_context *context = find_context(device, where->context, true);
    struct timed_stream *stream = context == NULL ? NULL : find_stream(context, handle);
    pthread_mutex_unlock(&device->lock);
    last.generation = generation;
    last.context = where->context;
    last.handle = handle;
    last.stream = stream;
    return stream;
}

void facet_time_waited(void)
{
    if (last.stream != NULL && last.generation == atomic_load(&facet_time_generation))
        atomic_fetch_add(&last.stream->context->device->waits, 1);
}

/* ---- contexts and streams that come and go */

void facet_time_context_made(CUcontext context, int device)
{
    (void)context; /* known when it is first used */
    (void)device;
}

static void forget_streams(struct timed_device *device, const struct timed_context *context, CUstream handle)
{
    for (struct timed_stream **link = &device->streams; *link != NULL;) {
        struct timed_stream *stream = *link;
        if (stream->context != context || (handle != NULL && stream->handle != handle)) {
            link = &stream->next;
            continue;
        }
        for (struct timed_batch *each = device->first; each != NULL; each = each->next)
            if (each->stream == stream)
                each->stream = NULL;
        *link = stream->next;
        free(stream);
    }
}

static void end_context(struct timed_device *device, struct timed_context *context)
{
    CUcontext popped;
    pthread_mutex_unlock(&device->lock);
    if (facet_vendor.cuCtxPushCurrent_v2(context->handle) == CUDA_SUCCESS) {
        facet_vendor.cuCtxSynchronize(); /* what waits for events of it waits no longer */
        facet_vendor.cuCtxPopCurrent_v2(&popped);
    }
    pthread_mutex_lock(&device->lock);
    facet_batches_close(device);
    facet_batches_reap(device);
    atomic_fetch_add(&facet_time_generation, 1);
    forget_streams(device, context, NULL);
    facet_batches_drop(context);
    for (struct timed_context **link = &device->contexts; *link != NULL; link = &(*link)->next)
        if (*link == context) {
            *link = context->next;
            break;
        }
    free(context);
    facet_seat_settle(device);
}

void facet_time_context_ends(CUcontext handle)
{
    for (int i = 0; i < FACET_DEVICES_MOST && atomic_load(&facet_time_started); i++) {
        struct timed_device *device = &facet_timed[i];
        if (device->page == NULL)
            continue;
        pthread_mutex_lock(&device->lock);
        struct timed_context *context = find_context(device, handle, false);
        if (context != NULL)
            end_context(device, context);
        pthread_mutex_unlock(&device->lock);
    }
}

void facet_time_stream_ends(CUstream handle)
{
    if (handle == NULL || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD)
        return;
    for (int i = 0; i < FACET_DEVICES_MOST && atomic_load(&facet_time_started); i++) {
        struct timed_device *device = &facet_timed[i];
        if (device->page == NULL)
            continue;
        pthread_mutex_lock(&device->lock);
        for (struct timed_context *each = device->contexts; each != NULL; each = each->next) {
            for (struct timed_stream *stream = device->streams; stream != NULL; stream = stream->next)
                if (stream->context == each && stream->handle == handle)
                    facet_batch_close(stream);
            atomic_fetch_add(&facet_time_generation, 1);
            forget_streams(device, each, handle);
        }
        facet_tender_wake(device);
        pthread_mutex_unlock(&device->lock);
    }
}

void facet_time_start(void)
{
    for (int i = 0; i < facet_device_count() && i < FACET_DEVICES_MOST; i++) {
        struct timed_device *device = &facet_timed[i];
        device->page = facet_session_seats(i);
        device->seat = device->page == NULL ? NULL : (struct facet_seat *)(void *)(device->page + 1);
        device->last = &device->first;
        pthread_mutex_init(&device->lock, NULL);
        pthread_cond_init(&device->unpinned, NULL);
    }
    atomic_store_explicit(&facet_time_started, facet_session.seats != NULL, memory_order_release);
}

/* A child has neither the thread nor a session; locks may be held by nobody. */
void facet_time_forked(void)
{
    atomic_store(&facet_time_started, false);
    last.stream = NULL;
}
