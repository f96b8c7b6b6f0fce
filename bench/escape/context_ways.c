/* Several contexts, threads, and contexts that end. */
#include <pthread.h>

#include "escape.h"

#define MIB ((size_t)1 << 20)
enum { CONTEXTS = 6, THREADS = 8 };

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

static int everywhere(size_t want, CUresult (*create)(CUcontext *))
{
    int result = CUDA_SUCCESS;
    for (int i = 0; i < CONTEXTS && held_bytes() < want; i++) {
        CUcontext context;
        CUresult made = create(&context);
        if (made != CUDA_SUCCESS)
            return made;
        result = take_pieces(want, MIB, take_plain);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return result;
}

static CUresult create_2(CUcontext *context)
{
    return cuCtxCreate_v2(context, 0, 0);
}

static CUresult create_3(CUcontext *context)
{
    return cuCtxCreate_v3(context, NULL, 0, 0, 0);
}

static CUresult create_4(CUcontext *context)
{
    return cuCtxCreate_v4(context, NULL, 0, 0);
}

static int contexts(size_t want)
{
    return everywhere(want, create_2);
}

static int contexts_3(size_t want)
{
    return everywhere(want, create_3);
}

static int contexts_4(size_t want)
{
    return everywhere(want, create_4);
}

/* What a context had is free when it has gone, and not before. */
static int context_ends(size_t want)
{
    int result = CUDA_SUCCESS;
    for (int i = 0; i < 5; i++) {
        CUcontext context;
        MUST(cuCtxCreate_v2(&context, 0, 0));
        result = take_pieces(want, 8 * MIB, take_plain);
        if (i == 4 || (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY))
            return result;
        forget_all();
        MUST(cuCtxDestroy(context));
    }
    return result;
}

static int primary_reset(size_t want)
{
    int result = CUDA_SUCCESS;
    for (int i = 0; i < 5; i++) {
        result = take_pieces(want, 8 * MIB, take_plain);
        if (i == 4 || (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY))
            return result;
        forget_all();
        MUST(cuDevicePrimaryCtxReset(0));
        open_device();
    }
    return result;
}

static CUcontext shared_context;
static size_t shared_want;

static void *thread_takes(void *result)
{
    MUST(driver->set_current(shared_context));
    *(int *)result = take_pieces(shared_want, MIB, take_plain);
    return NULL;
}

static int threads(size_t want)
{
    pthread_t all[THREADS];
    int results[THREADS], worst = CUDA_SUCCESS;
    MUST(driver->get_current(&shared_context));
    shared_want = want;
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&all[i], NULL, thread_takes, &results[i]));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(all[i], NULL);
        worst = results[i] != CUDA_SUCCESS ? results[i] : worst;
    }
    return held_bytes() >= want ? CUDA_SUCCESS : worst;
}

const struct way context_ways[] = {
    {.name = "contexts", .kind = MEMORY, .take = contexts, .calls = "cuCtxCreate cuCtxCreate_v2"},
    {.name = "contexts-3", .kind = MEMORY, .take = contexts_3, .calls = "cuCtxCreate_v3"},
    {.name = "contexts-4", .kind = MEMORY, .take = contexts_4, .calls = "cuCtxCreate_v4"},
    {.name = "context-ends", .kind = MEMORY, .take = context_ends, .calls = "cuCtxDestroy cuCtxDestroy_v2 cuCtxDetach cuCtxAttach"},
    {.name = "primary-reset",
     .kind = MEMORY,
     .take = primary_reset,
     .calls = "cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxRetain"},
    {.name = "threads", .kind = MEMORY, .take = threads, .calls = "cuMemAlloc_v2"},
    {.name = NULL},
};
