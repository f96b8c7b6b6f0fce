/* Tables of handles. A handle is the address of an entry, so a wrong one is found by arithmetic and
 * the entry's tag. The address space of a table is reserved at once and paid for as it is used. */
#include "objects.h"

#include <string.h>
#include <sys/mman.h>

#include "array.h"
#include "event.h"
#include "graph/exec.h"
#include "library.h"
#include "link.h"
#include "mapped.h"
#include "pool.h"
#include "stream.h"
#include "texture.h"

struct table {
    pthread_mutex_t lock;
    uint32_t shift; /* of the bytes of an entry */
    uint32_t capacity;
    _Atomic uint32_t used; /* entries that were ever given out, plus the first index */
    char *_Atomic entries;
    uint32_t *next;        /* of a free entry: the one that is free after it */
    uint32_t oldest, newest; /* of the free entries; 0 when there are none */
};

/* Bytes of an entry, rounded up to a power of two. */
#define SHIFT(type) (sizeof(struct type) <= 64 ? 6 : 64 - __builtin_clzll(sizeof(struct type) - 1))
#define TABLE(type, count) {.lock = PTHREAD_MUTEX_INITIALIZER, .shift = SHIFT(type), .capacity = (count)}

static struct table tables[FACET_KINDS] = {
    [FACET_CONTEXT] = TABLE(facet_context, FACET_CONTEXTS + 1),
    [FACET_STREAM] = TABLE(facet_stream, 1 << 16),
    [FACET_EVENT] = TABLE(facet_event, 1 << 18),
    [FACET_MODULE] = TABLE(facet_module, 1 << 16),
    [FACET_FUNCTION] = TABLE(facet_function, 1 << 17),
    [FACET_LIBRARY] = TABLE(facet_library, 1 << 16),
    [FACET_LINK] = TABLE(facet_link, 1 << 16),
    [FACET_POOL] = TABLE(facet_pool, 1 << 10),
    [FACET_KERNEL] = TABLE(facet_kernel, 1 << 17),
    [FACET_ARRAY] = TABLE(facet_array, 1 << 16),
    [FACET_GRAPH] = TABLE(facet_graph, 1 << 20),
    [FACET_NODE] = TABLE(facet_node, 1 << 22),
    [FACET_EXEC] = TABLE(facet_exec, 1 << 16),
    [FACET_USER_OBJECT] = TABLE(facet_user_object, 1 << 16),
    [FACET_MIPMAP] = TABLE(facet_mipmap, 1 << 14),
    [FACET_TEXTURE] = TABLE(facet_texture, 1 << 16),
    [FACET_TEXTURE_REFERENCE] = TABLE(facet_texture_reference, 1 << 14),
    [FACET_SEGMENT] = TABLE(facet_segment, 1 << 16),
};

static struct facet_object *at(const struct table *table, char *entries, uint32_t index)
{
    return (void *)(entries + ((size_t)index << table->shift));
}

/* There in programs that are built with LeakSanitizer: what only entries point to is no leak. */
void __lsan_register_root_region(const void *start, size_t bytes) __attribute__((weak));

static char *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (__lsan_register_root_region != NULL)
        __lsan_register_root_region(memory, bytes);
    return memory;
}

static bool ready(struct table *table)
{
    if (table->entries != NULL)
        return true;
    if (table->next == NULL)
        table->next = (void *)reserve(table->capacity * sizeof *table->next);
    if (table->next == NULL)
        return false;
    table->used = 1;
    table->entries = reserve((size_t)table->capacity << table->shift);
    return table->entries != NULL;
}

/* Entries that were freed first are used again first: a stale handle is found out for longer. */
static uint32_t pick(struct table *table)
{
    uint32_t index = table->oldest;
    if (index != 0) {
        table->oldest = table->next[index];
        if (table->oldest == 0)
            table->newest = 0;
        return index;
    }
    return table->used < table->capacity ? table->used++ : 0;
}

void *facet_object_create(enum facet_kind kind, struct facet_context *context)
{
    struct table *table = &tables[kind];
    struct facet_object *object = NULL;
    pthread_mutex_lock(&table->lock);
    uint32_t index = ready(table) ? pick(table) : 0;
    if (index != 0) {
        object = at(table, table->entries, index);
        memset(object, 0, (size_t)1 << table->shift);
        /* Contexts have ids from 0; entry 0 of every table stays empty. */
        object->id = kind == FACET_CONTEXT ? index - 1 : index;
        object->context = context;
        atomic_store_explicit(&object->kind, (uint32_t)kind, memory_order_release);
    }
    pthread_mutex_unlock(&table->lock);
    return object;
}

void facet_object_destroy(void *handle)
{
    struct facet_object *object = handle;
    uint32_t kind = atomic_exchange(&object->kind, 0);
    if (kind == 0 || kind >= FACET_KINDS)
        return;
    struct table *table = &tables[kind];
    pthread_mutex_lock(&table->lock);
    uint32_t index = kind == FACET_CONTEXT ? object->id + 1 : object->id;
    table->next[index] = 0;
    if (table->newest != 0)
        table->next[table->newest] = index;
    else
        table->oldest = index;
    table->newest = index;
    pthread_mutex_unlock(&table->lock);
}

void *facet_object(const void *handle, enum facet_kind kind)
{
    struct table *table = &tables[kind];
    char *entries = atomic_load_explicit(&table->entries, memory_order_acquire);
    size_t offset = (size_t)((uintptr_t)handle - (uintptr_t)entries);
    if (entries == NULL || offset >> table->shift >= table->capacity || (offset & (((size_t)1 << table->shift) - 1)) != 0)
        return NULL;
    struct facet_object *object = (void *)(entries + offset);
    return atomic_load_explicit(&object->kind, memory_order_acquire) == (uint32_t)kind ? object : NULL;
}

bool facet_object_never_was(const void *handle, enum facet_kind kind)
{
    struct table *table = &tables[kind];
    char *entries = atomic_load_explicit(&table->entries, memory_order_acquire);
    size_t offset = (size_t)((uintptr_t)handle - (uintptr_t)entries);
    return entries == NULL || offset >> table->shift >= table->capacity;
}

void *facet_object_with_id(enum facet_kind kind, uint32_t id)
{
    struct table *table = &tables[kind];
    char *entries = atomic_load_explicit(&table->entries, memory_order_acquire);
    uint32_t index = kind == FACET_CONTEXT ? id + 1 : id;
    return entries == NULL || index == 0 || index >= table->capacity ? NULL : facet_object(at(table, entries, index), kind);
}

void facet_object_each(enum facet_kind kind, struct facet_context *context, void (*visit)(void *object, void *data), void *data)
{
    struct table *table = &tables[kind];
    char *entries = atomic_load_explicit(&table->entries, memory_order_acquire);
    if (entries == NULL)
        return;
    for (uint32_t index = 1; index < atomic_load(&table->used); index++) {
        struct facet_object *object = at(table, entries, index);
        if (atomic_load_explicit(&object->kind, memory_order_acquire) == (uint32_t)kind && (context == NULL || object->context == context))
            visit(object, data);
    }
}
