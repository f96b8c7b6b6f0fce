/* A best-fit allocator over a range of addresses. It never touches the memory. Not thread-safe: the
 * context's lock is held. */
#ifndef FACET_ARENA_H
#define FACET_ARENA_H

#include "memory.h"

#define FACET_ARENA_PAGE UINT64_C(4096)
#define FACET_ARENA_GRAIN UINT64_C(256) /* addresses and sizes are multiples of it */

struct facet_arena *facet_arena_create(uint64_t base, uint64_t bytes);
void facet_arena_destroy(struct facet_arena *arena);
/* A record with address, bytes and extent set and the rest zero, or NULL when there is no room. Alignment: a power of two. */
struct facet_allocation *facet_arena_take(struct facet_arena *arena, uint64_t bytes, uint64_t alignment);
/* The same, at addresses that facet_arena_take never has given out, nor ever will: for memory that is touched without
 * asking. Of what was freed the host may not know yet, and move it. */
struct facet_allocation *facet_arena_take_apart(struct facet_arena *arena, uint64_t bytes, uint64_t alignment);
/* Afterwards the record is gone. */
void facet_arena_give(struct facet_arena *arena, struct facet_allocation *allocation);
/* The allocation that includes an address, or NULL. */
struct facet_allocation *facet_arena_find(const struct facet_arena *arena, uint64_t address);
void facet_arena_each(const struct facet_arena *arena, void (*visit)(struct facet_allocation *allocation, void *data), void *data);

/* Bytes of memory that was given back and may still have pages; never less than there are. */
uint64_t facet_arena_kept(const struct facet_arena *arena);

/* Gives whole pages of free memory back: little of it at once; for much the host is told, which does it. Such memory is
 * not given out again until facet_arena_returned says that its pages have gone. */
struct facet_returns {
    uint64_t at_once; /* up to so many bytes that may have pages */
    uint64_t most;    /* so many pieces are under way, no more: then it is done at once, too */
    void (*now)(uint64_t start, uint64_t bytes, void *data);
    /* going: bytes of it that may have pages, at most. */
    void (*begin)(uint64_t start, uint64_t bytes, uint64_t going, void *data);
    void *data;
};

/* Until no more than this is kept, if that is possible. */
void facet_arena_trim(struct facet_arena *arena, uint64_t keep, const struct facet_returns *returns);
/* As facet_arena_give, and its pages go at once. */
void facet_arena_give_pages(struct facet_arena *arena, struct facet_allocation *allocation, const struct facet_returns *returns);
/* The pages of so many pieces have gone, the first ones first. */
void facet_arena_returned(struct facet_arena *arena, uint64_t count);
/* Bytes whose pages have not gone yet; never less than there are. */
uint64_t facet_arena_returning(const struct facet_arena *arena);

/* What an allocation takes of the arena. */
static inline uint64_t facet_arena_extent(uint64_t bytes)
{
    return (bytes + FACET_ARENA_GRAIN - 1) & ~(FACET_ARENA_GRAIN - 1);
}

#endif
