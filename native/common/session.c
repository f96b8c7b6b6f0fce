#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "cancel.h"
#include "session.h"

struct facet_session facet_session = {.connection = -1};

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_handlers = PTHREAD_ONCE_INIT;
static void (*library_before_fork)(void);
static void (*library_after_fork)(bool child);

void facet_session_around_fork(void (*before)(void), void (*after)(bool child))
{
    pthread_mutex_lock(&opening);
    library_before_fork = before;
    library_after_fork = after;
    pthread_mutex_unlock(&opening);
}

static void before_fork(void)
{
    pthread_mutex_lock(&opening);
    if (library_before_fork != NULL)
        library_before_fork();
}

static void after_fork_in_parent(void)
{
    if (library_after_fork != NULL)
        library_after_fork(false);
    pthread_mutex_unlock(&opening);
}

/* The connection is the parent's: as long as anybody holds it the daemon takes the parent for alive. */
static void after_fork_in_child(void)
{
    int state = atomic_load(&facet_session.state);
    if (state == FACET_SESSION_OPEN || state == FACET_SESSION_GONE) {
        close(facet_session.connection);
        facet_session.connection = -1;
        atomic_store(&facet_session.state, FACET_SESSION_FORKED);
    }
    if (library_after_fork != NULL)
        library_after_fork(true);
    pthread_mutex_unlock(&opening);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

CUresult facet_session_check(void)
{
    switch (atomic_load_explicit(&facet_session.state, memory_order_acquire)) {
    case FACET_SESSION_OPEN:
        return CUDA_SUCCESS;
    case FACET_SESSION_GONE:
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    default:
        return CUDA_ERROR_NOT_INITIALIZED;
    }
}

bool facet_session_alive(void)
{
    return facet_session_check() == CUDA_SUCCESS;
}

CUresult facet_session_open(facet_choose_devices *choose)
{
    if (facet_session_alive())
        return CUDA_SUCCESS;
    pthread_once(&fork_handlers, watch_forks);
    pthread_mutex_lock(&opening);
    CUresult result = CUDA_SUCCESS;
    if (atomic_load(&facet_session.state) == FACET_SESSION_NONE) {
        int cancel = facet_cancel_later();
        result = facet_session_connect(&facet_session);
        facet_cancel_as(cancel);
        if (result == CUDA_SUCCESS) {
            int there = (int)facet_session.header->device_count;
            facet_session.visible = there < FACET_DEVICES_MOST ? there : FACET_DEVICES_MOST;
            for (int i = 0; i < facet_session.visible; i++)
                facet_session.order[i] = i;
            if (choose != NULL)
                facet_session.visible = choose(facet_session.devices, facet_session.visible, facet_session.order);
            atomic_store_explicit(&facet_session.state, FACET_SESSION_OPEN, memory_order_release);
        }
    } else {
        result = facet_session_check();
    }
    pthread_mutex_unlock(&opening);
    return result;
}

bool facet_session_look(void)
{
    if (!facet_session_alive())
        return false;
    struct pollfd look = {.fd = facet_session.connection, .events = POLLRDHUP};
    int cancel = facet_cancel_later();
    int found = poll(&look, 1, 0);
    facet_cancel_as(cancel);
    if (found == 0 || (found < 0 && errno == EINTR))
        return true;
    int open = FACET_SESSION_OPEN;
    if (atomic_compare_exchange_strong(&facet_session.state, &open, FACET_SESSION_GONE)) {
        facet_output_flush(); /* its last words */
        facet_say("the daemon ended this program's session: its log says why; `facet up` starts it again if it is gone");
    }
    return false;
}

int facet_device_count(void)
{
    return facet_session_alive() ? facet_session.visible : 0;
}

const struct facet_device_record *facet_device(int ordinal)
{
    return ordinal >= 0 && ordinal < facet_device_count() ? &facet_session.devices[facet_session.order[ordinal]] : NULL;
}

int facet_device_number(int ordinal)
{
    return facet_session.order[ordinal];
}

struct facet_seats_header *facet_session_seats(int ordinal)
{
    size_t bytes = sizeof(struct facet_seats_header) + sizeof(struct facet_seat);
    char *seats = (char *)facet_session.seats;
    return seats == NULL ? NULL : (struct facet_seats_header *)(void *)(seats + (size_t)facet_device_number(ordinal) * bytes);
}

volatile struct facet_context_status *facet_context_status(uint32_t context)
{
    return &facet_session.contexts[context];
}

struct facet_ring_control *facet_callback_ring(void)
{
    return facet_session.callbacks;
}
