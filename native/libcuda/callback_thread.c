/* The thread that runs the program's functions when the host says that they are due. */
#include <signal.h>
#include <string.h>

#include "callback.h"
#include "context.h"
#include "futex.h"

/* How long it sleeps before it looks whether the daemon is still there. */
enum { LOOK_NANOSECONDS = 500000000 };

static void run(const struct facet_callback *callback, CUresult status)
{
    if (callback->callback != NULL)
        callback->callback(callback->stream, status, callback->data);
    else if (status == CUDA_SUCCESS)
        callback->function(callback->data);
}

static bool next_token(struct facet_ring_control *ring, uint64_t *token)
{
    uint64_t tail = ring->tail;
    while (tail != __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE)) {
        const char *place = (const char *)(ring + 1) + (tail & (ring->bytes - 1));
        struct facet_record_header header;
        memcpy(&header, place, 8); /* of padding there may be no more */
        bool padding = header.type == 0;
        if (!padding)
            memcpy(token, place + offsetof(struct facet_callback_record, token), sizeof *token);
        tail += header.length;
        __atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (__atomic_load_n(&ring->writer_sleeps, __ATOMIC_RELAXED) != 0 && __atomic_exchange_n(&ring->writer_sleeps, 0, __ATOMIC_RELAXED) != 0)
            facet_futex_wake(&ring->writer_sleeps);
        if (!padding)
            return true;
    }
    return false;
}

static void sleep_for_data(struct facet_ring_control *ring)
{
    __atomic_store_n(&ring->reader_sleeps, 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (ring->tail == __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE))
        facet_futex_wait(&ring->reader_sleeps, 1, LOOK_NANOSECONDS);
    __atomic_store_n(&ring->reader_sleeps, 0, __ATOMIC_RELAXED);
}

static void *work(void *unused)
{
    (void)unused;
    struct facet_ring_control *ring = facet_callback_ring();
    struct facet_callback callback;
    while (facet_session_look()) {
        uint64_t token;
        while (next_token(ring, &token)) {
            if (facet_pending_take(token, &callback)) {
                uint32_t context = callback.context->object.id;
                run(&callback, facet_context_fault(callback.context));
                facet_post_host_function_done(context, token);
            }
        }
        sleep_for_data(ring);
    }
    while (facet_pending_any(&callback))
        run(&callback, CUDA_ERROR_DEVICE_UNAVAILABLE);
    return NULL;
}

CUresult facet_callback_thread_start(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Atomic bool started;
    if (atomic_load_explicit(&started, memory_order_acquire))
        return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&started)) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        sigset_t all;
        sigset_t before;
        sigfillset(&all); /* signals are for the program's own threads */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t thread;
        int failed = pthread_create(&thread, &attributes, work, NULL);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
        if (failed == 0) {
            pthread_setname_np(thread, "facet-callback");
            atomic_store_explicit(&started, true, memory_order_release);
        }
    }
    pthread_mutex_unlock(&lock);
    return atomic_load(&started) ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
