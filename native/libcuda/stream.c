#include "stream.h"

#include "event.h"
#include "graph/capture.h"
#include "memory.h"
#include "pool.h"

/* Ids of streams for people; those of legacy streams come before. */
static _Atomic uint64_t next_unique = FACET_CONTEXTS + 1;

CUresult facet_stream_find(CUstream handle, bool per_thread, struct facet_context **context, struct facet_stream **stream)
{
    if (handle == NULL || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        CUresult result = facet_context_current(context);
        if (result != CUDA_SUCCESS)
            return result;
        *stream = NULL;
        bool legacy = handle == CU_STREAM_LEGACY || (handle == NULL && !per_thread);
        return legacy ? CUDA_SUCCESS : facet_thread_stream(*context, stream);
    }
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *stream = facet_object(handle, FACET_STREAM);
    if (*stream == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    *context = (*stream)->object.context;
    return facet_context_fault(*context);
}

CUresult facet_stream_resolve(CUstream handle, bool per_thread, struct facet_context **context, struct facet_stream **stream)
{
    CUresult result = facet_stream_find(handle, per_thread, context, stream);
    return result == CUDA_SUCCESS ? facet_capture_unsupported(*context, *stream) : result;
}

struct facet_priorities facet_stream_priorities(const struct facet_context *context)
{
    const struct facet_device_record *device = facet_device(context->device);
    bool several = device != NULL && device->attributes[CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED] != 0;
    return (struct facet_priorities){.least = 0, .greatest = several ? -5 : 0};
}

CUresult facet_stream_create(struct facet_context *context, unsigned flags, int priority, struct facet_stream **stream)
{
    struct facet_stream *created = facet_object_create(FACET_STREAM, context);
    if (created == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    created->flags = flags;
    created->priority = priority;
    created->unique = atomic_fetch_add(&next_unique, 1);
    created->synchronization_policy = CU_SYNC_POLICY_AUTO;
    uint32_t wire_flags = (flags & CU_STREAM_NON_BLOCKING) != 0 ? FACET_STREAM_NON_BLOCKING : 0;
    CUresult result = facet_post_stream_create(context->object.id, created->object.id, wire_flags, priority);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(created);
        return result;
    }
    *stream = created;
    return CUDA_SUCCESS;
}

CUresult facet_stream_destroy(struct facet_stream *stream)
{
    facet_capture_forget_stream(stream);
    /* In this order: whoever gets the entry next creates it on the host after this. */
    CUresult result = facet_post_stream_destroy(stream->object.context->object.id, stream->object.id);
    facet_object_destroy(stream);
    return result;
}

/* Whether there was nothing to do since the last wait, which took an error along if there was one. That the context is
 * idle matters: another thread's command may have been counted but not been in the ring when that wait began. */
static bool unchanged(const struct facet_context *context, const struct facet_stream *stream)
{
    bool waited = stream == NULL ? atomic_load(&context->settled) == atomic_load(&context->posted)
                                 : atomic_load(&stream->waited) == atomic_load(&stream->posted);
    return waited && facet_context_idle(context);
}

CUresult facet_stream_wait(struct facet_context *context, struct facet_stream *stream)
{
    struct facet_waits *waits = stream == NULL ? &context->legacy_waits : &stream->waits;
    uint64_t wait = facet_waits_begin(waits);
    CUresult result = CUDA_SUCCESS;
    bool asks = !unchanged(context, stream);
    if (asks) {
        uint64_t posted = stream == NULL ? 0 : atomic_load(&stream->posted);
        result = facet_wait_stream_synchronize(context->object.id, facet_stream_id(stream));
        if (result == CUDA_ERROR_DEVICE_UNAVAILABLE)
            return result;
        if (stream != NULL)
            atomic_store(&stream->waited, posted);
    } else {
        facet_output_flush();
    }
    facet_waits_end(waits, wait);
    facet_pool_settled();
    return asks ? result : facet_context_fault(context);
}

CUresult facet_cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (stream == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_priorities bounds = facet_stream_priorities(context);
    int within = priority > bounds.least ? bounds.least : priority < bounds.greatest ? bounds.greatest : priority;
    struct facet_stream *created;
    result = facet_stream_create(context, flags, within, &created);
    if (result == CUDA_SUCCESS)
        *stream = (CUstream)created;
    return result;
}

CUresult facet_cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return facet_cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult facet_cuStreamDestroy_v2(CUstream handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_stream *stream = facet_object(handle, FACET_STREAM);
    return stream == NULL ? CUDA_ERROR_INVALID_HANDLE : facet_stream_destroy(stream);
}

CUresult facet_cuStreamQuery(bool per_thread, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || unchanged(context, stream))
        return result;
    return facet_wait_stream_query(context->object.id, facet_stream_id(stream));
}

CUresult facet_cuStreamSynchronize(bool per_thread, CUstream handle)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsafe();
    return result != CUDA_SUCCESS ? result : facet_stream_wait(context, stream);
}

CUresult facet_cuStreamWaitEvent(bool per_thread, CUstream handle, CUevent event_handle, unsigned int flags)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_find(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_event *event = facet_object(event_handle, FACET_EVENT);
    if (event == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_capturing(stream) || atomic_load_explicit(&event->capture, memory_order_acquire) != 0)
        return facet_capture_wait(context, stream, event, flags == CU_EVENT_WAIT_EXTERNAL);
    result = facet_capture_unsupported(context, stream);
    if (result != CUDA_SUCCESS || flags != CU_EVENT_WAIT_DEFAULT) /* external ones are for graphs only */
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    if (!atomic_load_explicit(&event->recorded, memory_order_acquire))
        return CUDA_SUCCESS;
    if (event->object.context != context) /* has no name in this context's commands: wait for it here */
        return facet_wait_event_synchronize(event->object.context->object.id, event->object.id);
    return facet_post_stream_wait_event(context, stream, event->object.id);
}

/* Managed memory is where everybody sees it: there is nothing to attach. */
CUresult facet_cuStreamAttachMemAsync(bool per_thread, CUstream handle, CUdeviceptr address, size_t bytes, unsigned int flags)
{
    struct facet_context *context;
    struct facet_stream *stream;
    CUresult result = facet_stream_resolve(handle, per_thread, &context, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    bool managed = facet_memory_find(address, &found) && found.kind == FACET_MEMORY_MANAGED;
    bool whole = managed && found.address == address && (bytes == 0 || bytes == found.bytes);
    bool one = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE;
    return whole && one ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
