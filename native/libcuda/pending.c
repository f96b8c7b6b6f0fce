#include <stdlib.h>

#include "callback.h"

struct slot {
    struct facet_callback callback;
    uint32_t generation;
    uint32_t next_free; /* index + 1 */
    bool used;
};

static struct {
    pthread_mutex_t lock;
    struct slot *slots;
    uint32_t count;
    uint32_t first_free; /* index + 1 */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool grow(void)
{
    uint32_t more = table.count == 0 ? 64 : table.count * 2;
    struct slot *slots = realloc(table.slots, more * sizeof *slots);
    if (slots == NULL)
        return false;
    table.slots = slots;
    for (uint32_t i = more; i > table.count; i--) {
        slots[i - 1] = (struct slot){.next_free = table.first_free};
        table.first_free = i;
    }
    table.count = more;
    return true;
}

static void release(struct slot *slot)
{
    slot->used = false;
    slot->generation++;
    slot->next_free = table.first_free;
    table.first_free = (uint32_t)(slot - table.slots) + 1;
}

uint64_t facet_pending_add(const struct facet_callback *callback)
{
    uint64_t token = 0;
    pthread_mutex_lock(&table.lock);
    if (table.first_free != 0 || grow()) {
        uint32_t number = table.first_free;
        struct slot *slot = &table.slots[number - 1];
        table.first_free = slot->next_free;
        slot->callback = *callback;
        slot->used = true;
        token = (uint64_t)slot->generation << 32 | number;
    }
    pthread_mutex_unlock(&table.lock);
    return token;
}

static bool take(uint64_t token, struct facet_callback *callback, bool drops)
{
    uint32_t number = (uint32_t)token;
    bool found = false;
    pthread_mutex_lock(&table.lock);
    if (number > 0 && number <= table.count) {
        struct slot *slot = &table.slots[number - 1];
        found = slot->used && slot->generation == token >> 32;
        if (found) {
            *callback = slot->callback;
            if (drops || !slot->callback.lasting)
                release(slot);
        }
    }
    pthread_mutex_unlock(&table.lock);
    return found;
}

bool facet_pending_take(uint64_t token, struct facet_callback *callback)
{
    return take(token, callback, false);
}

void facet_pending_drop(uint64_t token)
{
    struct facet_callback unused;
    take(token, &unused, true);
}

bool facet_pending_any(struct facet_callback *callback)
{
    bool found = false;
    pthread_mutex_lock(&table.lock);
    for (uint32_t i = 0; i < table.count && !found; i++)
        if (table.slots[i].used) {
            *callback = table.slots[i].callback;
            release(&table.slots[i]);
            found = !callback->lasting; /* nobody knows whether a launch of it was under way */
        }
    pthread_mutex_unlock(&table.lock);
    return found;
}

void facet_pending_forget(const struct facet_context *context)
{
    pthread_mutex_lock(&table.lock);
    for (uint32_t i = 0; i < table.count; i++)
        if (table.slots[i].used && table.slots[i].callback.context == context)
            release(&table.slots[i]);
    pthread_mutex_unlock(&table.lock);
}
