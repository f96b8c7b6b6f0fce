/* Sets of events that a program waits for. None ever comes, since nothing breaks; a device that is lost ends the wait. */
#include <stdlib.h>
#include <time.h>

#include "management.h"

/* Critical errors, retired pages, states of performance, clocks: those a device of its kind can tell of. */
enum { EVENTS = 0x1f, LOOK_MILLISECONDS = 200 };

#define FOREVER 0xffffffffu

struct nvmlEventSet_st {
    struct nvmlEventSet_st *next;
    unsigned waiting; /* threads */
    bool freed;
};

/* Sets that are there, so that a wrong one is recognised. */
static struct nvmlEventSet_st *sets;
static unsigned set_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { MOST_SETS = 4096 };

static struct nvmlEventSet_st **find(nvmlEventSet_t set)
{
    struct nvmlEventSet_st **link = &sets;
    while (*link != NULL && (*link != set || set->freed))
        link = &(*link)->next;
    return *link == NULL ? NULL : link;
}

/* With the lock: gone when nobody waits any more. */
static void drop(struct nvmlEventSet_st *set)
{
    struct nvmlEventSet_st **link = &sets;
    while (*link != set)
        link = &(*link)->next;
    *link = set->next;
    set_count--;
    free(set);
}

nvmlReturn_t facet_nvmlEventSetCreate(nvmlEventSet_t *set)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    pthread_mutex_lock(&lock);
    struct nvmlEventSet_st *made = set_count < MOST_SETS ? calloc(1, sizeof *made) : NULL;
    if (made != NULL) {
        made->next = sets;
        sets = made;
        set_count++;
        *set = made;
    }
    pthread_mutex_unlock(&lock);
    return made == NULL ? NVML_ERROR_MEMORY : NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlEventSetFree(nvmlEventSet_t set)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    pthread_mutex_lock(&lock);
    struct nvmlEventSet_st **link = find(set);
    if (link != NULL) {
        set->freed = true;
        if (set->waiting == 0)
            drop(set);
    }
    pthread_mutex_unlock(&lock);
    return link == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types)
{
    DEVICE;
    *types = EVENTS;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set)
{
    DEVICE;
    pthread_mutex_lock(&lock);
    bool known = find(set) != NULL;
    pthread_mutex_unlock(&lock);
    if (!known)
        return NVML_ERROR_INVALID_ARGUMENT;
    return (types & ~(unsigned long long)EVENTS) != 0 ? NVML_ERROR_NOT_SUPPORTED : NVML_SUCCESS;
}

static bool enter(nvmlEventSet_t set)
{
    pthread_mutex_lock(&lock);
    bool known = find(set) != NULL;
    if (known)
        set->waiting++;
    pthread_mutex_unlock(&lock);
    return known;
}

/* False when it was freed meanwhile. */
static bool leave(nvmlEventSet_t set)
{
    pthread_mutex_lock(&lock);
    bool freed = set->freed;
    if (--set->waiting == 0 && freed)
        drop(set);
    pthread_mutex_unlock(&lock);
    return !freed;
}

static bool is_freed(nvmlEventSet_t set)
{
    pthread_mutex_lock(&lock);
    bool freed = set->freed;
    pthread_mutex_unlock(&lock);
    return freed;
}

nvmlReturn_t facet_nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int milliseconds)
{
    (void)data;
    nvmlReturn_t result = facet_nvml_ready();
    if (result != NVML_SUCCESS)
        return result;
    if (!enter(set))
        return NVML_ERROR_INVALID_ARGUMENT;
    unsigned left = milliseconds;
    while (result == NVML_SUCCESS && left > 0 && !is_freed(set)) {
        unsigned some = left < LOOK_MILLISECONDS ? left : LOOK_MILLISECONDS;
        nanosleep(&(struct timespec){.tv_nsec = (long)some * 1000000}, NULL);
        if (milliseconds != FOREVER)
            left -= some;
        result = facet_session_look() ? NVML_SUCCESS : NVML_ERROR_GPU_IS_LOST;
    }
    if (!leave(set))
        return NVML_ERROR_INVALID_ARGUMENT;
    return result == NVML_SUCCESS ? NVML_ERROR_TIMEOUT : result;
}
