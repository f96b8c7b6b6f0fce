#include "event.h"

#include <pthread.h>

#include "graph/capture.h"
#include "pool.h"
#include "stream.h"

enum { FLAGS = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS };

static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;

static void put(struct facet_event *event, struct facet_stream *stream, uint64_t wait)
{
    if (wait == 0 && !atomic_load(&event->placed))
        return;
    pthread_mutex_lock(&places);
    event->place = (struct facet_event_place){
        .stream = stream, .unique = stream == NULL ? 0 : stream->unique, .wait = wait, .version = event->place.version + 1};
    atomic_store(&event->placed, wait != 0);
    pthread_mutex_unlock(&places);
}

static struct facet_event_place place_of(struct facet_event *event)
{
    if (!atomic_load(&event->placed))
        return (struct facet_event_place){0};
    pthread_mutex_lock(&places);
    struct facet_event_place place = event->place;
    pthread_mutex_unlock(&places);
    return place;
}

static struct facet_waits *waits_of(struct facet_context *context, struct facet_stream *stream)
{
    return stream == NULL ? &context->legacy_waits : &stream->waits;
}

/* What was before the event in its stream has ended, and counts as waited for: also while others give the context more to do. */
static void waited(struct facet_event *event, const struct facet_event_place *before)
{
    struct facet_event_place now = place_of(event);
    if (before->wait != 0 && now.version == before->version && (now.stream == NULL || now.stream->unique == now.unique))
        facet_waits_end(waits_of(event->object.context, now.stream), now.wait);
    facet_pool_settled();
}

static CUresult living(CUevent handle, struct facet_event **event)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *event = facet_object(handle, FACET_EVENT);
    if (*event == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    result = facet_capture_ask_event(*event);
    return result == CUDA_SUCCESS ? facet_context_fault((*event)->object.context) : result;
}

CUresult facet_cuEventCreate(CUevent *event, unsigned int flags)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    bool between_processes = (flags & CU_EVENT_INTERPROCESS) != 0;
    bool timing = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    if (event == NULL || (flags & ~(unsigned)FLAGS) != 0 || (between_processes && timing))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_event *created = facet_object_create(FACET_EVENT, context);
    if (created == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    result = facet_post_event_create(context->object.id, created->object.id, timing ? 0 : FACET_EVENT_NO_TIMING);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(created);
        return result;
    }
    *event = (CUevent)created;
    return CUDA_SUCCESS;
}

CUresult facet_cuEventDestroy_v2(CUevent handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_event *event = facet_object(handle, FACET_EVENT);
    if (event == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    facet_capture_forget_event(event);
    result = facet_post_event_destroy(event->object.context->object.id, event->object.id);
    facet_object_destroy(event);
    return result;
}

CUresult facet_cuEventRecordWithFlags(bool per_thread, CUevent handle, CUstream stream_handle, unsigned int flags)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(stream_handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_event *event = facet_object(handle, FACET_EVENT);
    if (event == NULL || event->object.context != context)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_capturing(stream))
        return facet_capture_record(stream, event, flags == CU_EVENT_RECORD_EXTERNAL);
    result = facet_capture_unsupported(context, stream);
    if (result != CUDA_SUCCESS || flags != CU_EVENT_RECORD_DEFAULT) /* external ones are for graphs only */
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    facet_capture_forget_event(event);
    put(event, NULL, 0);
    uint64_t wait = facet_pool_waits() ? facet_waits_begin(waits_of(context, stream)) : 0;
    result = facet_post_event_record(context, event->object.id, stream);
    if (result == CUDA_SUCCESS)
        put(event, stream, wait);
    if (result == CUDA_SUCCESS)
        atomic_store_explicit(&event->recorded, true, memory_order_release);
    if (result == CUDA_SUCCESS && (event->flags & CU_EVENT_INTERPROCESS) != 0) {
        /* Whoever is told of it in another process is to find it recorded. */
        CUresult reached = facet_wait_event_query(context->object.id, event->object.id);
        result = reached == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : reached;
    }
    return result;
}

CUresult facet_cuEventRecord(bool per_thread, CUevent event, CUstream stream)
{
    return facet_cuEventRecordWithFlags(per_thread, event, stream, CU_EVENT_RECORD_DEFAULT);
}

/* An event that was never recorded has nothing to wait for. */
CUresult facet_cuEventQuery(CUevent handle)
{
    struct facet_event *event;
    CUresult result = living(handle, &event);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || !facet_event_recorded(event))
        return result;
    return facet_wait_event_query(event->object.context->object.id, event->object.id);
}

CUresult facet_cuEventSynchronize(CUevent handle)
{
    struct facet_event *event;
    CUresult result = living(handle, &event);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || !facet_event_recorded(event))
        return result;
    struct facet_event_place before = place_of(event);
    result = facet_wait_event_synchronize(event->object.context->object.id, event->object.id);
    if (result == CUDA_SUCCESS)
        waited(event, &before);
    return result;
}

CUresult facet_cuEventElapsedTime(float *milliseconds, CUevent start_handle, CUevent end_handle)
{
    struct facet_event *start;
    struct facet_event *end;
    CUresult result = living(start_handle, &start);
    if (result == CUDA_SUCCESS)
        result = living(end_handle, &end);
    if (result != CUDA_SUCCESS)
        return result;
    if (milliseconds == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    bool recorded = atomic_load_explicit(&start->recorded, memory_order_acquire) && atomic_load_explicit(&end->recorded, memory_order_acquire);
    bool timed = ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) == 0;
    if (!recorded || !timed || start->object.context != end->object.context)
        return CUDA_ERROR_INVALID_HANDLE;
    int64_t nanoseconds = 0;
    result = facet_wait_event_elapsed(start->object.context->object.id, start->object.id, end->object.id, &nanoseconds);
    if (result == CUDA_SUCCESS)
        *milliseconds = (float)((double)nanoseconds / 1e6);
    return result;
}
