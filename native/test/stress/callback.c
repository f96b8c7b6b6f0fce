#include <stdlib.h>

#include "futex.h"
#include "../../libcuda/callback.h"
#include "../../libcuda/context.h"
#include "stress.h"

enum { MOST_THREADS = 128 };

static struct facet_context context; /* id 0 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ran = PTHREAD_COND_INITIALIZER;
static uint32_t called[MOST_THREADS]; /* under the lock */
static uint32_t launched[MOST_THREADS]; /* by the thread itself */

/* Until the host's writer sleeps for room: there must be more to come than the ring holds. */
static void hold(uint32_t left)
{
    struct facet_ring_control *ring = facet_callback_ring();
    if (left <= 2 * ring->bytes / sizeof(struct facet_callback_record))
        return;
    while (__atomic_load_n(&ring->writer_sleeps, __ATOMIC_ACQUIRE) == 0)
        facet_pause();
}

/* The functions of a thread are due in its order. */
static void run(void *data)
{
    uint64_t what = (uint64_t)(uintptr_t)data;
    uint32_t thread = (uint32_t)(what >> 48), number = (uint32_t)(what >> 24) & 0xffffff, left = (uint32_t)what & 0xffffff;
    if (stress_draw(thread, number) % 1024 == 0)
        hold(left);
    pthread_mutex_lock(&lock);
    if (called[thread] != number)
        stress_fail("host function %u of thread %u comes after %u of them", number, thread, called[thread]);
    called[thread]++;
    pthread_cond_broadcast(&ran);
    pthread_mutex_unlock(&lock);
}

void stress_launch(uint32_t thread, uint32_t most)
{
    uint32_t number = launched[thread]++;
    uint64_t what = (uint64_t)thread << 48 | (uint64_t)number << 24 | (most - number);
    struct facet_callback callback = {.context = &context, .function = run, .data = (void *)(uintptr_t)what};
    if (facet_callback_thread_start() != CUDA_SUCCESS)
        stress_fail("there is no thread for callbacks");
    uint64_t token = facet_pending_add(&callback);
    if (token == 0 || facet_post_host_function(&context, token, NULL) != CUDA_SUCCESS)
        stress_fail("host function %u of thread %u cannot be sent", number, thread);
}

void stress_await_callbacks(uint32_t thread, uint32_t count)
{
    pthread_mutex_lock(&lock);
    while (called[thread] < count)
        pthread_cond_wait(&ran, &lock);
    pthread_mutex_unlock(&lock);
}
