/* What nvcc's code registered: fat binaries, and their kernels and variables by host address.
 *
 * Registration runs in constructors, before main: it only writes down. Looking up takes no lock, because every
 * launch does it. A slot of the table keeps its key for ever; what is not registered any more has no symbol. */
#include <stdlib.h>

#include "runtime.h"

struct slot {
    _Atomic(const void *) key;
    _Atomic(struct facet_symbol *) symbol;
};

struct table {
    size_t slots; /* a power of two */
    size_t used;
    struct table *before; /* kept, for a reader may still be in it */
    struct slot slot[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) current;

static size_t place(const void *key, size_t slots)
{
    return (size_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (slots - 1);
}

struct facet_symbol *facet_registry_find(const void *key)
{
    struct table *table = atomic_load_explicit(&current, memory_order_acquire);
    if (table == NULL || key == NULL)
        return NULL;
    for (size_t i = place(key, table->slots);; i = (i + 1) & (table->slots - 1)) {
        const void *found = atomic_load_explicit(&table->slot[i].key, memory_order_acquire);
        if (found == key)
            return atomic_load_explicit(&table->slot[i].symbol, memory_order_acquire);
        if (found == NULL)
            return NULL;
    }
}

static struct slot *find_slot(struct table *table, const void *key)
{
    size_t i = place(key, table->slots);
    while (table->slot[i].key != NULL && table->slot[i].key != key)
        i = (i + 1) & (table->slots - 1);
    return &table->slot[i];
}

static void put(struct table *table, const void *key, struct facet_symbol *symbol)
{
    struct slot *slot = find_slot(table, key);
    atomic_store_explicit(&slot->symbol, symbol, memory_order_release);
    if (slot->key == NULL) {
        table->used++;
        atomic_store_explicit(&slot->key, key, memory_order_release);
    }
}

static struct table *grown(struct table *old)
{
    size_t slots = old == NULL ? 256 : old->slots * 2;
    struct table *table = calloc(1, sizeof *table + slots * sizeof table->slot[0]);
    if (table == NULL)
        return NULL;
    table->slots = slots;
    table->before = old;
    for (size_t i = 0; old != NULL && i < old->slots; i++) {
        if (old->slot[i].symbol != NULL)
            put(table, old->slot[i].key, old->slot[i].symbol);
    }
    return table;
}

bool facet_registry_put(const void *key, struct facet_symbol *symbol)
{
    pthread_mutex_lock(&lock);
    struct table *table = current;
    if (table == NULL || table->used * 2 >= table->slots) {
        table = grown(table);
        if (table != NULL)
            atomic_store_explicit(&current, table, memory_order_release);
    }
    if (table != NULL)
        put(table, key, symbol);
    pthread_mutex_unlock(&lock);
    return table != NULL;
}

void facet_registry_remove(const void *key, const struct facet_symbol *symbol)
{
    pthread_mutex_lock(&lock);
    if (current != NULL) {
        struct slot *slot = find_slot(current, key);
        if (slot->key == key && slot->symbol == symbol)
            atomic_store_explicit(&slot->symbol, NULL, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

static bool is(const struct facet_symbol *symbol, CUfunction function)
{
    if (symbol == NULL || symbol->kind != FACET_KERNEL)
        return false;
    for (const struct facet_binding *each = atomic_load(&symbol->bindings); each != NULL; each = each->next)
        if (each->function == function)
            return true;
    return false;
}

const void *facet_registry_key(CUfunction function)
{
    struct table *table = atomic_load_explicit(&current, memory_order_acquire);
    for (size_t i = 0; table != NULL && i < table->slots; i++)
        if (is(atomic_load_explicit(&table->slot[i].symbol, memory_order_acquire), function))
            return table->slot[i].key;
    return NULL;
}
