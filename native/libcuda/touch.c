#include "touch.h"

#include "context.h"

static bool hold(const struct facet_context *context)
{
    if (context == NULL)
        return true;
    volatile struct facet_context_status *status = facet_context_status(context->object.id);
    __atomic_fetch_add(&status->touching, 1, __ATOMIC_SEQ_CST);
    /* The host sets moved and then reads touching: one of us sees the other. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return __atomic_load_n(&status->moved, __ATOMIC_SEQ_CST) == 0;
}

static void let_go(const struct facet_context *context)
{
    if (context != NULL)
        __atomic_fetch_sub(&facet_context_status(context->object.id)->touching, 1, __ATOMIC_SEQ_CST);
}

static CUresult fetch(const struct facet_context *context, bool there)
{
    return there ? CUDA_SUCCESS : facet_wait_touch(context->object.id);
}

CUresult facet_touch_begin(const struct facet_touch *touch)
{
    while (true) {
        bool first = hold(touch->first), second = hold(touch->second);
        if (first && second)
            return CUDA_SUCCESS;
        /* Nobody waits for one while keeping the other: it may have to make room. */
        facet_touch_end(touch);
        CUresult result = fetch(touch->first, first);
        if (result == CUDA_SUCCESS)
            result = fetch(touch->second, second);
        if (result != CUDA_SUCCESS)
            return result;
    }
}

void facet_touch_end(const struct facet_touch *touch)
{
    let_go(touch->first);
    let_go(touch->second);
}
