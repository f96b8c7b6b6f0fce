#include "arena.h"

#include <stdlib.h>
#include <string.h>

#include "tree.h"

/* Programs often free and allocate the same sizes again and again. Blocks that were freed last are kept
 * as they are for that; joining them with their neighbours comes when they are pushed out. */
enum { RECENT = 16 };
#define RECENT_MOST (UINT64_C(16) << 20)

/* Memory apart grows by so much at a time, so that it does not lie in crumbs between the other. */
#define APART_LEAST (UINT64_C(8) << 20)

enum block_state { FREE, TAKEN, RECENTLY_FREED, RETURNING };

struct block {
    struct facet_allocation allocation;
    uint64_t start;
    uint64_t bytes;
    uint64_t kept; /* unless taken: bytes of it that may have pages, at most. When returning: that will have */
    uint64_t going; /* when returning: bytes of it that may have pages until then */
    struct block *next_returning;
    struct block *before, *after; /* neighbours */
    enum block_state state;
    bool apart;
    struct facet_tree_node by_address; /* when taken, or recently freed */
    struct facet_tree_node by_size;    /* when free */
};

struct facet_arena {
    struct facet_tree by_address, by_size[2]; /* the second one: memory apart */
    uint64_t fresh;     /* from here on nothing was given out */
    uint64_t untouched; /* from here on there are no pages; a page's address */
    struct block *first;
    uint64_t kept; /* of all blocks */
    struct block *recent[RECENT];
    unsigned oldest; /* of the recent ones */
    struct block *returning, **last_returning; /* in the order in which their pages go */
    uint64_t returned; /* so many have gone */
    uint64_t under_way; /* so many are returning */
    uint64_t going;     /* of all of those */
    struct block *spare; /* records to use again, linked by after */
};

static uint64_t page_after(uint64_t address)
{
    return (address + FACET_ARENA_PAGE - 1) & ~(FACET_ARENA_PAGE - 1);
}

static struct block *record(struct facet_arena *arena, uint64_t start, uint64_t bytes)
{
    struct block *block = arena->spare;
    if (block != NULL)
        arena->spare = block->after;
    else if ((block = malloc(sizeof *block)) == NULL)
        return NULL;
    block->start = start;
    block->bytes = bytes;
    block->kept = 0;
    block->before = block->after = NULL;
    block->apart = false;
    return block;
}

static void drop(struct facet_arena *arena, struct block *block)
{
    block->after = arena->spare;
    arena->spare = block;
}

static void enter_free(struct facet_arena *arena, struct block *block)
{
    block->state = FREE;
    block->by_size.key = block->bytes;
    block->by_size.second = block->start;
    facet_tree_insert(&arena->by_size[block->apart], &block->by_size);
}

static void leave_free(struct facet_arena *arena, struct block *block)
{
    facet_tree_remove(&arena->by_size[block->apart], &block->by_size);
}

struct facet_arena *facet_arena_create(uint64_t base, uint64_t bytes)
{
    struct facet_arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return NULL;
    uint64_t start = facet_arena_extent(base);
    uint64_t end = (base + bytes) & ~(FACET_ARENA_GRAIN - 1);
    if (end > start) {
        arena->first = record(arena, start, end - start);
        if (arena->first == NULL) {
            free(arena);
            return NULL;
        }
        enter_free(arena, arena->first);
    }
    arena->fresh = start;
    arena->untouched = page_after(start);
    arena->last_returning = &arena->returning;
    return arena;
}

void facet_arena_destroy(struct facet_arena *arena)
{
    struct block *next;
    for (struct block *block = arena->first; block != NULL; block = next) {
        next = block->after;
        free(block);
    }
    for (struct block *block = arena->spare; block != NULL; block = next) {
        next = block->after;
        free(block);
    }
    free(arena);
}

/* Cuts a block in two; the second one is returned. Where the pages are is not known: the second one may have all. */
static struct block *split(struct facet_arena *arena, struct block *block, uint64_t bytes)
{
    struct block *rest = record(arena, block->start + bytes, block->bytes - bytes);
    if (rest == NULL)
        return NULL;
    block->bytes = bytes;
    rest->kept = block->kept < rest->bytes ? block->kept : rest->bytes;
    block->kept -= rest->kept;
    rest->apart = block->apart;
    rest->before = block;
    rest->after = block->after;
    if (rest->after != NULL)
        rest->after->before = rest;
    block->after = rest;
    return rest;
}

/* Joins a block with the one behind it, which is in no tree. */
static void join(struct facet_arena *arena, struct block *block)
{
    struct block *gone = block->after;
    block->bytes += gone->bytes;
    block->kept += gone->kept;
    block->after = gone->after;
    if (block->after != NULL)
        block->after->before = block;
    drop(arena, gone);
}

static bool joins(const struct block *block, const struct block *other)
{
    return other != NULL && other->state == FREE && other->apart == block->apart;
}

/* Into the tree of free blocks, with its neighbours. */
static void settle(struct facet_arena *arena, struct block *block)
{
    if (joins(block, block->after)) {
        leave_free(arena, block->after);
        join(arena, block);
    }
    if (joins(block, block->before)) {
        block = block->before;
        leave_free(arena, block);
        join(arena, block);
    }
    enter_free(arena, block);
}

static void release(struct facet_arena *arena, struct block *block)
{
    facet_tree_remove(&arena->by_address, &block->by_address);
    settle(arena, block);
}

static bool release_recent(struct facet_arena *arena)
{
    bool any = false;
    for (unsigned i = 0; i < RECENT; i++) {
        if (arena->recent[i] != NULL) {
            release(arena, arena->recent[i]);
            arena->recent[i] = NULL;
            any = true;
        }
    }
    return any;
}

static struct facet_allocation *hand_out(struct facet_arena *arena, struct block *block, uint64_t bytes)
{
    block->state = TAKEN;
    if (arena->fresh < block->start + block->bytes)
        arena->fresh = block->start + block->bytes;
    if (arena->untouched < block->start + block->bytes)
        arena->untouched = page_after(block->start + block->bytes);
    arena->kept -= block->kept;
    block->kept = 0;
    memset(&block->allocation, 0, sizeof block->allocation);
    block->allocation.address = block->start;
    block->allocation.bytes = bytes;
    block->allocation.extent = block->bytes;
    return &block->allocation;
}

static struct block *take_recent(struct facet_arena *arena, uint64_t extent, uint64_t alignment, bool apart)
{
    for (unsigned i = 0; i < RECENT; i++) {
        struct block *block = arena->recent[i];
        if (block != NULL && block->apart == apart && block->bytes == extent && (block->start & (alignment - 1)) == 0) {
            arena->recent[i] = NULL;
            return block;
        }
    }
    return NULL;
}

static struct block *take_free(struct facet_arena *arena, uint64_t extent, uint64_t alignment, bool apart)
{
    struct facet_tree *tree = &arena->by_size[apart];
    struct facet_tree_node *node = facet_tree_from(tree, extent, 0);
    /* Blocks of nearly the right size may miss the alignment; the slack makes sure. */
    if (node != NULL && (FACET_OWNER(node, struct block, by_size)->start & (alignment - 1)) != 0)
        node = facet_tree_from(tree, extent + alignment - FACET_ARENA_GRAIN, 0);
    if (node == NULL)
        return NULL;
    struct block *block = FACET_OWNER(node, struct block, by_size);
    leave_free(arena, block);
    uint64_t skip = -block->start & (alignment - 1);
    if (skip != 0) {
        struct block *aligned = split(arena, block, skip);
        enter_free(arena, block);
        if (aligned == NULL)
            return NULL;
        block = aligned;
    }
    if (block->bytes > extent) {
        struct block *rest = split(arena, block, extent);
        if (rest != NULL)
            enter_free(arena, rest);
    }
    block->by_address.key = block->start;
    block->by_address.second = 0;
    facet_tree_insert(&arena->by_address, &block->by_address);
    return block;
}

/* Makes memory apart of what was never given out, which lies at the end. */
static bool grow_apart(struct facet_arena *arena, uint64_t bytes)
{
    struct block *last = arena->first;
    while (last != NULL && last->after != NULL)
        last = last->after;
    if (last == NULL || last->state != FREE || last->apart)
        return false;
    uint64_t used = arena->fresh > last->start ? arena->fresh - last->start : 0;
    if (last->bytes < used || last->bytes - used < bytes)
        return false;
    leave_free(arena, last);
    struct block *grown = last;
    if (used != 0) {
        grown = split(arena, last, used);
        enter_free(arena, last);
        if (grown == NULL)
            return false;
    }
    if (grown->bytes > bytes) {
        struct block *rest = split(arena, grown, bytes);
        if (rest != NULL)
            enter_free(arena, rest);
    }
    grown->apart = true;
    arena->fresh = grown->start + grown->bytes;
    if (joins(grown, grown->before)) {
        grown = grown->before;
        leave_free(arena, grown);
        join(arena, grown);
    }
    enter_free(arena, grown);
    return true;
}

static struct facet_allocation *take(struct facet_arena *arena, uint64_t bytes, uint64_t alignment, bool apart)
{
    uint64_t extent = facet_arena_extent(bytes);
    if (bytes == 0 || extent < bytes)
        return NULL;
    if (alignment < FACET_ARENA_GRAIN)
        alignment = FACET_ARENA_GRAIN;
    struct block *block = take_recent(arena, extent, alignment, apart);
    if (block == NULL)
        block = take_free(arena, extent, alignment, apart);
    if (block == NULL && release_recent(arena))
        block = take_free(arena, extent, alignment, apart);
    if (block == NULL && apart && (grow_apart(arena, APART_LEAST + extent + alignment) || grow_apart(arena, extent + alignment)))
        block = take_free(arena, extent, alignment, apart);
    return block == NULL ? NULL : hand_out(arena, block, bytes);
}

struct facet_allocation *facet_arena_take(struct facet_arena *arena, uint64_t bytes, uint64_t alignment)
{
    return take(arena, bytes, alignment, false);
}

struct facet_allocation *facet_arena_take_apart(struct facet_arena *arena, uint64_t bytes, uint64_t alignment)
{
    return take(arena, bytes, alignment, true);
}

void facet_arena_give(struct facet_arena *arena, struct facet_allocation *allocation)
{
    struct block *block = FACET_OWNER(allocation, struct block, allocation);
    block->state = RECENTLY_FREED;
    block->kept = block->bytes;
    arena->kept += block->bytes;
    if (block->bytes > RECENT_MOST) {
        release(arena, block);
        return;
    }
    for (unsigned i = 0; i < RECENT; i++) {
        if (arena->recent[i] == NULL) {
            arena->recent[i] = block;
            return;
        }
    }
    release(arena, arena->recent[arena->oldest]);
    arena->recent[arena->oldest] = block;
    arena->oldest = (arena->oldest + 1) % RECENT;
}

struct facet_allocation *facet_arena_find(const struct facet_arena *arena, uint64_t address)
{
    struct facet_tree_node *node = facet_tree_upto(&arena->by_address, address, UINT64_MAX);
    if (node == NULL)
        return NULL;
    struct block *block = FACET_OWNER(node, struct block, by_address);
    bool inside = block->state == TAKEN && address - block->start < block->allocation.bytes;
    return inside ? &block->allocation : NULL;
}

void facet_arena_each(const struct facet_arena *arena, void (*visit)(struct facet_allocation *allocation, void *data), void *data)
{
    for (struct block *block = arena->first; block != NULL; block = block->after)
        if (block->state == TAKEN)
            visit(&block->allocation, data);
}

uint64_t facet_arena_kept(const struct facet_arena *arena)
{
    return arena->kept;
}

uint64_t facet_arena_returning(const struct facet_arena *arena)
{
    return arena->going;
}

/* What has no pages at the end stays free. */
static void cut_untouched(struct facet_arena *arena, struct block *block)
{
    if (block->start >= arena->untouched || block->start + block->bytes <= arena->untouched)
        return;
    struct block *rest = split(arena, block, arena->untouched - block->start);
    if (rest == NULL)
        return;
    uint64_t kept = block->kept + rest->kept;
    block->kept = kept < block->bytes ? kept : block->bytes;
    arena->kept -= kept - block->kept;
    rest->kept = 0;
    enter_free(arena, rest);
}

/* A block whose whole pages have gone. */
static void settle_without_pages(struct facet_arena *arena, struct block *block)
{
    if (block->start + block->bytes == arena->untouched)
        arena->untouched = page_after(block->start);
    settle(arena, block);
}

/* A block that is in no tree: its whole pages go. Unless that is done at once, it is nobody's until they have gone. */
static void return_pages(struct facet_arena *arena, struct block *block, const struct facet_returns *returns)
{
    cut_untouched(arena, block);
    uint64_t start = page_after(block->start);
    uint64_t end = (block->start + block->bytes) & ~(FACET_ARENA_PAGE - 1);
    if (end <= start) {
        settle(arena, block);
        return;
    }
    uint64_t left = block->bytes - (end - start); /* on pages that neighbours use */
    uint64_t kept = block->kept < left ? block->kept : left;
    uint64_t going = block->kept - kept;
    block->kept = kept;
    arena->kept -= going;
    if (going <= returns->at_once || arena->under_way >= returns->most) {
        returns->now(start, end - start, returns->data);
        settle_without_pages(arena, block);
        return;
    }
    block->state = RETURNING;
    block->going = going;
    block->next_returning = NULL;
    *arena->last_returning = block;
    arena->last_returning = &block->next_returning;
    arena->going += going;
    arena->under_way++;
    returns->begin(start, end - start, going, returns->data);
}

void facet_arena_returned(struct facet_arena *arena, uint64_t count)
{
    while (arena->returned < count && arena->returning != NULL) {
        struct block *block = arena->returning;
        arena->returning = block->next_returning;
        if (arena->returning == NULL)
            arena->last_returning = &arena->returning;
        arena->returned++;
        arena->under_way--;
        arena->going -= block->going;
        settle_without_pages(arena, block);
    }
}

void facet_arena_give_pages(struct facet_arena *arena, struct facet_allocation *allocation, const struct facet_returns *returns)
{
    struct block *block = FACET_OWNER(allocation, struct block, allocation);
    facet_tree_remove(&arena->by_address, &block->by_address);
    block->kept = block->bytes;
    arena->kept += block->bytes;
    return_pages(arena, block, returns);
}

static void trim(struct facet_arena *arena, uint64_t keep, const struct facet_returns *returns)
{
    struct block *next;
    for (struct block *block = arena->first; block != NULL && arena->kept > keep; block = next) {
        next = block->after;
        /* On less than a page there is nothing that could go. */
        if (block->state != FREE || block->kept == 0 || block->bytes < FACET_ARENA_PAGE)
            continue;
        leave_free(arena, block);
        return_pages(arena, block, returns);
    }
}

void facet_arena_trim(struct facet_arena *arena, uint64_t keep, const struct facet_returns *returns)
{
    trim(arena, keep, returns);
    if (arena->kept > keep && release_recent(arena))
        trim(arena, keep, returns);
}
