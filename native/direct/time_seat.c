/* The right to use a device, which the daemon lends through a page that both see: record Seat of records.table, and
 * facet.host.lease.SeatPage, which draws its states. Here it is one seat a device, and whoever has it has the device. */
#include <errno.h>
#include <unistd.h>

#include "futex.h"
#include "session.h"
#include "time_parts.h"

static uint32_t state(const struct timed_device *device)
{
    return __atomic_load_n(&device->seat->state, __ATOMIC_SEQ_CST);
}

static bool change(struct timed_device *device, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&device->seat->state, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void ring(void)
{
    uint64_t once = 1;
    int kept = errno;
    ssize_t written = write(facet_session.bell, &once, sizeof once);
    (void)written; /* a daemon that does not hear is found to be gone, or silent */
    errno = kept;
}

bool facet_seat_is_contended(const struct timed_device *device)
{
    return __atomic_load_n(&device->page->contended, __ATOMIC_RELAXED) != 0;
}

struct facet_measure facet_seat_measure(const struct timed_device *device)
{
    static const struct facet_measure alone = {.batch = FACET_TIME_BATCH, .ahead = 20000000, .least = 3},
                                      company = {.batch = 1000000, .ahead = 3000000, .least = 1},
                                      contended = {.batch = 500000, .ahead = 2000000, .least = 1};
    if (facet_seat_is_contended(device))
        return contended;
    return __atomic_load_n(&device->page->company, __ATOMIC_RELAXED) != 0 ? company : alone;
}

bool facet_seat_is_revoked(const struct timed_device *device)
{
    return __atomic_load_n(&device->seat->revoked, __ATOMIC_RELAXED) != FACET_TIME_NEVER;
}

bool facet_seat_begin(struct timed_device *device)
{
    if (facet_seat_is_revoked(device) || state(device) == FACET_SEAT_AWAY)
        return false;
    bool began =
        state(device) == FACET_SEAT_BUSY || change(device, FACET_SEAT_IDLE, FACET_SEAT_BUSY) || change(device, FACET_SEAT_LENT, FACET_SEAT_BUSY);
    if (began && device->seat->began == 0)
        __atomic_store_n(&device->seat->began, facet_nanoseconds(), __ATOMIC_SEQ_CST);
    return began;
}

void facet_seat_worked(struct timed_device *device, double milliseconds)
{
    if (state(device) == FACET_SEAT_AWAY)
        return; /* what was still under way when the device was given back: the next one waited as long to begin */
    __atomic_store_n(&device->seat->began, device->batches > 0 ? facet_nanoseconds() : 0, __ATOMIC_SEQ_CST);
    if (milliseconds > 0)
        __atomic_fetch_add(&device->seat->busy, (uint64_t)(milliseconds * 1e6), __ATOMIC_SEQ_CST);
}

void facet_seat_give(struct timed_device *device)
{
    uint64_t began = device->seat->began, now = facet_nanoseconds();
    __atomic_store_n(&device->seat->began, 0, __ATOMIC_SEQ_CST);
    if (began != 0 && began < now && device->batches > 0)
        __atomic_fetch_add(&device->seat->busy, now - began, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&device->seat->state, FACET_SEAT_AWAY, __ATOMIC_SEQ_CST) != FACET_SEAT_AWAY)
        ring();
}

/* Whether all of its work has been given to the driver: what is between enter and leave would come behind. */
static bool is_all_closed(const struct timed_device *device)
{
    for (const struct timed_batch *each = device->first; each != NULL; each = each->next)
        if (!each->closed)
            return false;
    return true;
}

void facet_seat_settle(struct timed_device *device)
{
    if (state(device) != FACET_SEAT_BUSY)
        return;
    if (facet_seat_is_revoked(device)) {
        facet_batches_close(device);
        if (device->batches == 0 || (is_all_closed(device) && facet_batches_ahead(device) <= FACET_TIME_EARLY))
            facet_seat_give(device);
    } else if (device->batches == 0) {
        __atomic_store_n(&device->seat->began, 0, __ATOMIC_SEQ_CST);
        change(device, FACET_SEAT_BUSY, FACET_SEAT_IDLE);
        /* The daemon takes what is idle. It may have asked for it before it could see that. */
        if (facet_seat_is_revoked(device) && change(device, FACET_SEAT_IDLE, FACET_SEAT_AWAY))
            ring();
    }
}

CUresult facet_seat_look(struct timed_device *device, uint64_t now)
{
    if (now - device->looked < FACET_TIME_LOOK)
        return facet_session_check();
    device->looked = now;
    if (!facet_session_look())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    uint64_t heard = __atomic_load_n(&device->page->heard, __ATOMIC_RELAXED);
    if (heard < now && now - heard > FACET_TIME_SILENT) {
        facet_say(
            "the daemon is there and has lent no time of the GPU for 10 seconds; its log may say why, `facet down` and `facet up` start another");
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    }
    return CUDA_SUCCESS;
}

CUresult facet_seat_await(struct timed_device *device)
{
    CUresult result = CUDA_SUCCESS;
    __atomic_store_n(&device->page->wanted, ++device->waiting, __ATOMIC_SEQ_CST);
    while (result == CUDA_SUCCESS) {
        uint32_t seen = __atomic_load_n(&device->seat->wakes, __ATOMIC_SEQ_CST);
        facet_seat_settle(device);
        if (!facet_seat_is_revoked(device) && state(device) != FACET_SEAT_AWAY)
            break;
        if (state(device) != FACET_SEAT_AWAY && state(device) != FACET_SEAT_BUSY)
            facet_seat_give(device); /* it was lent and asked back before anybody used it */
        if (device->batches > 0)
            facet_tender_wake(device);
        if (__atomic_load_n(&device->page->known, __ATOMIC_SEQ_CST) == 0)
            ring();
        pthread_mutex_unlock(&device->lock);
        facet_futex_wait(&device->seat->wakes, seen, FACET_LOOK_NANOSECONDS);
        pthread_mutex_lock(&device->lock);
        result = facet_seat_look(device, facet_nanoseconds());
    }
    __atomic_store_n(&device->page->wanted, --device->waiting, __ATOMIC_SEQ_CST);
    return result;
}

void facet_seat_wake(struct timed_device *device)
{
    __atomic_fetch_add(&device->seat->wakes, 1, __ATOMIC_SEQ_CST);
    facet_futex_wake(&device->seat->wakes);
}
