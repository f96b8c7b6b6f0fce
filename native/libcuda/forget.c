#include "callback.h"
#include "graph/capture.h"
#include "hints.h"
#include "library.h"

static void drop(void *object, void *data)
{
    (void)data;
    facet_object_destroy(object);
}

static void drop_event(void *object, void *data)
{
    facet_capture_forget_event(object);
    drop(object, data);
}

static void drop_stream(void *object, void *data)
{
    facet_capture_forget_stream(object);
    drop(object, data);
}

static void drop_module(void *object, void *data)
{
    (void)data;
    facet_module_forget(object);
}

void facet_context_forget(struct facet_context *context)
{
    facet_pending_forget(context);
    facet_hints_forget(context->base, context->base + context->bytes);
    facet_libraries_forget(context);
    facet_object_each(FACET_MODULE, context, drop_module, NULL);
    facet_object_each(FACET_EVENT, context, drop_event, NULL);
    facet_object_each(FACET_ARRAY, context, drop, NULL);
    facet_object_each(FACET_MIPMAP, context, drop, NULL);
    facet_object_each(FACET_TEXTURE, context, drop, NULL);
    facet_object_each(FACET_TEXTURE_REFERENCE, context, drop, NULL);
    facet_object_each(FACET_STREAM, context, drop_stream, NULL);
}
