/* Default streams of threads: one for each thread and context, made at first use, gone with the thread. */
#include "stream.h"

/* unique tells a stream from a later one in the same entry: the context may have been destroyed since. */
struct own {
    struct facet_stream *stream;
    uint64_t unique;
};

static _Thread_local struct own own[FACET_CONTEXTS];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;
static bool at_exit_made;

static bool lives(const struct own *entry, const struct facet_context *context)
{
    struct facet_stream *stream = facet_object(entry->stream, FACET_STREAM);
    return stream != NULL && stream->unique == entry->unique && (context == NULL || stream->object.context == context);
}

static void leave(void *entries)
{
    struct own *each = entries;
    for (int i = 0; i < FACET_CONTEXTS; i++)
        if (each[i].stream != NULL && facet_session_alive() && lives(&each[i], NULL))
            facet_stream_destroy(each[i].stream);
}

static void make_key(void)
{
    at_exit_made = pthread_key_create(&at_exit, leave) == 0;
}

CUresult facet_thread_stream(struct facet_context *context, struct facet_stream **stream)
{
    struct own *entry = &own[context->object.id];
    if (__builtin_expect(entry->stream != NULL && lives(entry, context), true)) {
        *stream = entry->stream;
        return CUDA_SUCCESS;
    }
    pthread_once(&once, make_key);
    CUresult result = facet_stream_create(context, CU_STREAM_DEFAULT, 0, stream);
    if (result != CUDA_SUCCESS)
        return result;
    *entry = (struct own){*stream, (*stream)->unique};
    if (at_exit_made)
        pthread_setspecific(at_exit, own);
    return CUDA_SUCCESS;
}
