/* What kernels print, on its way to the program's stdout. docs/session-protocol.md, Output */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cancel.h"
#include "session.h"

/* Below this position the host may be writing again. */
static uint64_t oldest(const struct facet_ring_control *ring, uint64_t head)
{
    uint64_t sound = ring->bytes / 4 * 3;
    return head > sound ? head - sound : 0;
}

static uint64_t load(const uint64_t *position)
{
    return __atomic_load_n(position, __ATOMIC_ACQUIRE);
}

/* Copies text out of the ring before it is written: the host does not wait for a slow terminal. */
static size_t take(struct facet_ring_control *ring, char *text, size_t capacity)
{
    const char *data = (const char *)(ring + 1);
    uint64_t head = load(&ring->head);
    uint64_t start = ring->tail > oldest(ring, head) ? ring->tail : oldest(ring, head);
    size_t bytes = head - start < capacity ? (size_t)(head - start) : capacity;
    for (size_t i = 0; i < bytes; i++)
        text[i] = data[(start + i) & (ring->bytes - 1)];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint64_t lost = oldest(ring, load(&ring->head));
    __atomic_store_n(&ring->tail, start + bytes, __ATOMIC_RELEASE);
    if (lost <= start)
        return bytes;
    size_t skip = lost - start < bytes ? (size_t)(lost - start) : bytes;
    for (size_t i = skip; i < bytes; i++)
        text[i - skip] = text[i];
    return bytes - skip;
}

enum { ERRORS_BEGIN = 0, ERRORS_END = 1 };

/* Text up to the next mark goes to one stream, what follows to the other. */
static void write_out(const char *text, size_t bytes)
{
    static bool errors; /* under the lock of the caller */
    while (bytes > 0) {
        const char *mark = memchr(text, errors ? ERRORS_END : ERRORS_BEGIN, bytes);
        size_t part = mark != NULL ? (size_t)(mark - text) : bytes;
        fwrite(text, 1, part, errors ? stderr : stdout);
        if (mark != NULL) {
            errors = !errors;
            part++;
        }
        text += part;
        bytes -= part;
    }
}

void facet_output_flush(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct facet_ring_control *ring = facet_session.output;
    if (ring == NULL || load(&ring->head) == load(&ring->tail))
        return;
    char text[4096];
    int cancel = facet_cancel_later();
    pthread_mutex_lock(&lock);
    while (load(&ring->head) != ring->tail) {
        size_t bytes = take(ring, text, sizeof text);
        write_out(text, bytes);
    }
    fflush(stdout);
    pthread_mutex_unlock(&lock);
    facet_cancel_as(cancel);
}
