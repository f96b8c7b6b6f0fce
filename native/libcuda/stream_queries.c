/* What a program may ask of a stream without waiting for it. */
#include <string.h>

#include "stream.h"

struct subject {
    struct facet_context *context;
    struct facet_stream *stream; /* NULL: the legacy stream */
};

static CUresult subject_of(bool per_thread, CUstream handle, struct subject *subject)
{
    return facet_stream_find(handle, per_thread, &subject->context, &subject->stream);
}

/* Checks too that there is a place for the value. */
static CUresult subject_and(const void *value, bool per_thread, CUstream handle, struct subject *subject)
{
    CUresult result = subject_of(per_thread, handle, subject);
    return result == CUDA_SUCCESS && value == NULL ? CUDA_ERROR_INVALID_VALUE : result;
}

CUresult facet_cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_priorities bounds = facet_stream_priorities(context);
    if (least != NULL)
        *least = bounds.least;
    if (greatest != NULL)
        *greatest = bounds.greatest;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetPriority(bool per_thread, CUstream handle, int *priority)
{
    struct subject subject;
    CUresult result = subject_and(priority, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    *priority = subject.stream == NULL ? 0 : subject.stream->priority;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetFlags(bool per_thread, CUstream handle, unsigned int *flags)
{
    struct subject subject;
    CUresult result = subject_and(flags, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    *flags = subject.stream == NULL ? CU_STREAM_DEFAULT : subject.stream->flags;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetId(bool per_thread, CUstream handle, unsigned long long *id)
{
    struct subject subject;
    CUresult result = subject_and(id, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    *id = subject.stream == NULL ? subject.context->object.id + 1 : subject.stream->unique;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetCtx(bool per_thread, CUstream handle, CUcontext *context)
{
    struct subject subject;
    CUresult result = subject_and(context, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    *context = (CUcontext)subject.context;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetCtx_v2(bool per_thread, CUstream handle, CUcontext *context, CUgreenCtx *green)
{
    CUresult result = facet_cuStreamGetCtx(per_thread, handle, context);
    if (result == CUDA_SUCCESS && green != NULL)
        *green = NULL;
    return result;
}

CUresult facet_cuStreamGetDevice(bool per_thread, CUstream handle, CUdevice *device)
{
    struct subject subject;
    CUresult result = subject_and(device, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    *device = subject.context->device;
    return CUDA_SUCCESS;
}

CUresult facet_cuStreamGetAttribute(bool per_thread, CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
    struct subject subject;
    CUresult result = subject_and(value, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    switch ((int)attribute) {
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        value->priority = subject.stream == NULL ? 0 : subject.stream->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        value->syncPolicy = subject.stream == NULL ? CU_SYNC_POLICY_AUTO : subject.stream->synchronization_policy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        memset(value, 0, sizeof *value); /* about caches that this device does not have */
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_cuStreamSetAttribute(bool per_thread, CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
    struct subject subject;
    CUresult result = subject_and(value, per_thread, handle, &subject);
    if (result != CUDA_SUCCESS)
        return result;
    switch ((int)attribute) {
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        if ((int)value->syncPolicy < CU_SYNC_POLICY_AUTO || (int)value->syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
            return CUDA_ERROR_INVALID_VALUE;
        if (subject.stream != NULL)
            subject.stream->synchronization_policy = (int)value->syncPolicy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: {
        /* The host keeps the priority that the stream was made with; the device makes no use of it yet. */
        struct facet_priorities bounds = facet_stream_priorities(subject.context);
        if (subject.stream == NULL || value->priority > bounds.least || value->priority < bounds.greatest)
            return CUDA_ERROR_INVALID_VALUE;
        subject.stream->priority = value->priority;
        return CUDA_SUCCESS;
    }
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_cuStreamCopyAttributes(bool per_thread, CUstream destination_handle, CUstream source_handle)
{
    struct subject destination;
    struct subject source;
    CUresult result = subject_of(per_thread, destination_handle, &destination);
    if (result == CUDA_SUCCESS)
        result = subject_of(per_thread, source_handle, &source);
    if (result != CUDA_SUCCESS)
        return result;
    if (destination.context != source.context)
        return CUDA_ERROR_INVALID_VALUE;
    if (destination.stream != NULL)
        destination.stream->synchronization_policy = source.stream == NULL ? CU_SYNC_POLICY_AUTO : source.stream->synchronization_policy;
    return CUDA_SUCCESS;
}
