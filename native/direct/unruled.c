#include "unruled.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session.h"
#include "stubs.h"

/* Of the library that was written for the vendor's; of the empty one otherwise. */
extern struct facet_unruled_table facet_unruled_table;

/* For enter.S. */
uint64_t *facet_unruled_counts;
void **facet_unruled_functions;
volatile unsigned char facet_unruled_called;
extern CUresult facet_unruled_refused(void);
CUresult facet_unruled_answer(uint64_t number);

static uint64_t *told;
static void **vendors; /* where they would go if they were not refused */
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

static char *at(int64_t offset)
{
    return (char *)&facet_unruled_table + offset;
}

static const char *name_of(uint64_t number)
{
    return at((int64_t)((const uint64_t *)(const void *)at(facet_unruled_table.names))[number]);
}

const char *facet_unruled_vendor(void)
{
    return facet_unruled_table.magic == FACET_UNRULED_MAGIC && facet_unruled_table.vendor != 0 ? at(facet_unruled_table.vendor) : NULL;
}

static CUresult gone(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

void facet_unruled_start(void *library)
{
    uint64_t count = facet_unruled_table.count;
    if (facet_unruled_table.magic != FACET_UNRULED_MAGIC || count == 0)
        return;
    told = calloc(count, sizeof *told);
    vendors = calloc(count, sizeof *vendors);
    facet_unruled_functions = (void **)(void *)at(facet_unruled_table.functions);
    for (uint64_t i = 0; i < count; i++) {
        void *function = dlsym(library, name_of(i));
        facet_unruled_functions[i] = function != NULL ? function : (void *)(uintptr_t)gone;
        if (vendors != NULL)
            vendors[i] = function;
    }
    __atomic_store_n(&facet_unruled_counts, (uint64_t *)(void *)at(facet_unruled_table.counts), __ATOMIC_RELEASE);
}

void facet_unruled_refuse(bool refused)
{
    static _Atomic bool now;
    if (vendors == NULL || atomic_exchange(&now, refused) == refused)
        return;
    for (uint64_t i = 0; i < facet_unruled_table.count; i++) {
        void *function = vendors[i] != NULL ? vendors[i] : (void *)(uintptr_t)gone;
        __atomic_store_n(&facet_unruled_functions[i], refused ? (void *)(uintptr_t)facet_unruled_refused : function, __ATOMIC_RELEASE);
    }
}

CUresult facet_unruled_answer(uint64_t number)
{
    facet_say_unsupported("the call %s has no rule, and this slice is strict: it is refused; 'facet slice set NAME --strict no' lets such calls pass",
                          name_of(number));
    facet_unruled_tell();
    return CUDA_ERROR_NOT_PERMITTED;
}

void *facet_unruled_entry(const void *function)
{
    for (uint64_t i = 0; vendors != NULL && i < facet_unruled_table.count; i++)
        if (vendors[i] == function)
            return at(facet_unruled_table.entries) + i * FACET_STUB_BYTES;
    return NULL;
}

bool facet_unruled_newer(const char *name)
{
    size_t length = strlen(name);
    for (uint64_t i = 0; vendors != NULL && i < facet_unruled_table.count; i++)
        if (strncmp(name_of(i), name, length) == 0 && strncmp(name_of(i) + length, "_v", 2) == 0)
            return true;
    return false;
}

void facet_unruled_tell(void)
{
    if (!facet_unruled_called || !facet_session_alive() || !facet_command_known(FACET_COMMAND_UNRULED))
        return;
    pthread_mutex_lock(&telling);
    facet_unruled_called = 0;
    for (uint64_t i = 0; told != NULL && i < facet_unruled_table.count; i++) {
        uint64_t calls = __atomic_load_n(&facet_unruled_counts[i], __ATOMIC_RELAXED);
        if (calls == told[i])
            continue;
        const char *name = name_of(i);
        facet_post_unruled(0, calls - told[i], name, (uint32_t)strlen(name));
        told[i] = calls;
    }
    pthread_mutex_unlock(&telling);
}

/* When the program ends; what the daemon has not read by then is lost with the session, so it gets a moment. */
__attribute__((destructor)) static void last_words(void)
{
    enum { MOMENTS = 200, NANOSECONDS = 1000000 };
    facet_unruled_tell();
    if (!facet_session_alive())
        return;
    const struct facet_ring_control *ring = facet_session.commands; /* also what whole.c told */
    for (int i = 0;
         i < MOMENTS && facet_session_alive() && __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) != __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
         i++)
        nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
}
