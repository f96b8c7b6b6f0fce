#include "books.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "slice.h"

/* Open addressing, at most half full; a kind of 0 is an empty place. Entries move closer when one goes, so that searches stay short. */
static struct facet_booked *entries;
static size_t places, used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { FIRST_PLACES = 256 };

static size_t home(enum facet_booked_kind kind, uint64_t key)
{
    uint64_t mixed = (key ^ (uint64_t)kind << 56) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed >> 20) & (places - 1);
}

/* Its place, or the empty one where it would be. */
static size_t place_of(enum facet_booked_kind kind, uint64_t key)
{
    size_t at = home(kind, key);
    while (entries[at].kind != 0 && (entries[at].kind != kind || entries[at].key != key))
        at = (at + 1) & (places - 1);
    return at;
}

static bool grow(void)
{
    size_t old = places;
    struct facet_booked *before = entries, *more = calloc(old == 0 ? FIRST_PLACES : old * 2, sizeof *more);
    if (more == NULL)
        return false;
    entries = more;
    places = old == 0 ? FIRST_PLACES : old * 2;
    for (size_t i = 0; i < old; i++)
        if (before[i].kind != 0)
            entries[place_of(before[i].kind, before[i].key)] = before[i];
    free(before);
    return true;
}

static void remove_at(size_t at)
{
    size_t next = at;
    used--;
    for (;;) {
        entries[at].kind = 0;
        size_t wanted;
        do {
            next = (next + 1) & (places - 1);
            if (entries[next].kind == 0)
                return;
            wanted = home(entries[next].kind, entries[next].key);
            /* Stays when its home lies between the hole and itself. */
        } while (at <= next ? at < wanted && wanted <= next : at < wanted || wanted <= next);
        entries[at] = entries[next];
        at = next;
    }
}

static uint64_t charged(const struct facet_booked *entry)
{
    return entry->kind == FACET_BOOKED_GRAPH ? 0 : entry->bytes;
}

bool facet_book(const struct facet_booked *entry)
{
    struct facet_booked old = {0};
    pthread_mutex_lock(&lock);
    bool room = (used + 1) * 2 <= places || grow();
    if (room) {
        size_t at = place_of(entry->kind, entry->key);
        old = entries[at];
        used += old.kind == 0;
        entries[at] = *entry;
    }
    pthread_mutex_unlock(&lock);
    if (old.kind != 0)
        facet_slice_give(old.device, charged(&old));
    return room;
}

bool facet_book_remove(enum facet_booked_kind kind, uint64_t key, struct facet_booked *entry)
{
    pthread_mutex_lock(&lock);
    size_t at = places == 0 ? 0 : place_of(kind, key);
    bool found = places != 0 && entries[at].kind != 0;
    if (found) {
        *entry = entries[at];
        remove_at(at);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool facet_book_find(enum facet_booked_kind kind, uint64_t key, struct facet_booked *entry)
{
    pthread_mutex_lock(&lock);
    size_t at = places == 0 ? 0 : place_of(kind, key);
    bool found = places != 0 && entries[at].kind != 0;
    if (found)
        *entry = entries[at];
    pthread_mutex_unlock(&lock);
    return found;
}

uint32_t facet_book_count(enum facet_booked_kind kind, uint64_t key, int change, struct facet_booked *entry)
{
    uint32_t count = 0;
    *entry = (struct facet_booked){0};
    pthread_mutex_lock(&lock);
    size_t at = places == 0 ? 0 : place_of(kind, key);
    if (places != 0 && entries[at].kind != 0) {
        count = entries[at].count += (uint32_t)change;
        *entry = entries[at];
        if (count == 0)
            remove_at(at);
    }
    pthread_mutex_unlock(&lock);
    return count;
}

void facet_book_drop(CUcontext context)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < places;) {
        if (entries[i].kind == 0 || entries[i].context != context) {
            i++;
            continue;
        }
        facet_slice_give(entries[i].device, charged(&entries[i]));
        remove_at(i); /* another one may have come to this place */
    }
    pthread_mutex_unlock(&lock);
}

void facet_book_lock(void)
{
    pthread_mutex_lock(&lock);
}

void facet_book_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void facet_book_forget(void)
{
    if (entries != NULL)
        memset(entries, 0, places * sizeof *entries);
    used = 0;
}
