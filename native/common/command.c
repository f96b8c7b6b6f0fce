/* The producer of the command ring. docs/session-protocol.md, Commands */
#include <string.h>

#include "futex.h"
#include "session.h"

static struct {
    pthread_mutex_t lock;
    uint64_t head; /* of the record that is being written */
    uint64_t tail; /* as last seen */
    uint64_t sequence;
    uint32_t length; /* of the record that is being written */
    int slot;        /* that it waits with, or -1 */
} __attribute__((aligned(64))) ring = {.lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, .slot = -1};

static char *data(void)
{
    return (char *)(facet_session.commands + 1);
}

/* Sleeps until the reader has gone on; false when it will not. */
static bool await_room(uint64_t wanted)
{
    struct facet_ring_control *control = facet_session.commands;
    for (unsigned tries = 0;; tries++) {
        ring.tail = __atomic_load_n(&control->tail, __ATOMIC_ACQUIRE);
        if (ring.head + wanted - ring.tail <= control->bytes)
            return true;
        if (tries < 1000) {
            facet_pause();
            continue;
        }
        __atomic_store_n(&control->writer_sleeps, 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (__atomic_load_n(&control->tail, __ATOMIC_ACQUIRE) != ring.tail) {
            __atomic_store_n(&control->writer_sleeps, 0, __ATOMIC_RELAXED);
            continue;
        }
        facet_futex_wait(&control->writer_sleeps, 1, FACET_LOOK_NANOSECONDS);
        if (!facet_session_look())
            return false;
        facet_output_flush(); /* why it takes so long */
    }
}

static bool make_room(uint32_t bytes)
{
    struct facet_ring_control *control = facet_session.commands;
    uint32_t index = (uint32_t)(ring.head & (control->bytes - 1));
    uint32_t rest = control->bytes - index;
    uint32_t padding = bytes > rest ? rest : 0;
    if (ring.head + padding + bytes - ring.tail > control->bytes && !await_room((uint64_t)padding + bytes))
        return false;
    if (padding != 0) {
        /* Of a padding record only length and type are there: 8 bytes may be all that is left. */
        struct facet_record_header header = {.length = padding};
        memcpy(data() + index, &header, 8);
        ring.head += padding;
    }
    return true;
}

bool facet_command_known(uint16_t type)
{
    return type <= facet_session.known;
}

static bool is_known(uint16_t type)
{
    if (facet_command_known(type))
        return true;
    facet_say("the daemon is older than this program's libraries, and does not know all that the program asks for; update Facet on this machine");
    return false;
}

void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits)
{
    if (!facet_session_alive() || !is_known(type))
        return NULL;
    bytes = (bytes + 7) & ~7u;
    /* Before the lock: the calls that hold the slots may need the ring to get their answers. */
    int slot = -1;
    if (waits && (slot = facet_reply_claim()) < 0)
        return NULL;
    pthread_mutex_lock(&ring.lock);
    if (!make_room(bytes)) {
        pthread_mutex_unlock(&ring.lock);
        if (waits)
            facet_reply_release(slot);
        return NULL;
    }
    ring.length = bytes;
    ring.slot = slot;
    struct facet_record_header *header = (void *)(data() + (ring.head & (facet_session.commands->bytes - 1)));
    header->length = bytes;
    header->type = type;
    header->slot = (uint16_t)(slot + 1);
    header->sequence = ++ring.sequence;
    header->context = context;
    header->unused = 0;
    return header;
}

/* Shows the record to the reader and lets go of the ring. */
static void publish(void)
{
    struct facet_ring_control *control = facet_session.commands;
    ring.head += ring.length;
    __atomic_store_n(&control->head, ring.head, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&ring.lock);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&control->reader_sleeps, __ATOMIC_RELAXED) != 0 && __atomic_exchange_n(&control->reader_sleeps, 0, __ATOMIC_RELAXED) != 0)
        facet_futex_wake(&control->reader_sleeps);
}

void facet_command_post(void)
{
    publish();
}

void facet_command_cancel(void)
{
    ring.sequence--;
    pthread_mutex_unlock(&ring.lock);
}

int facet_command_start(void)
{
    int slot = ring.slot;
    publish();
    return slot;
}

bool facet_command_finish(int slot, int32_t *result, uint64_t *payload)
{
    bool there = facet_reply_await(slot, result, payload);
    facet_output_flush();
    return there;
}

bool facet_command_wait(int32_t *result, uint64_t *payload)
{
    return facet_command_finish(facet_command_start(), result, payload);
}
