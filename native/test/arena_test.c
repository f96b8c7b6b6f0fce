/* The allocator against a plain model: no overlaps, nothing lost, everything found. */
#include "../libcuda/arena.h"

#include <stdlib.h>
#include <time.h>

#include "check.h"

enum { LIVE = 300, STEPS = 40000 };

static const uint64_t base = UINT64_C(0x700000000000);
static uint64_t state;

static uint64_t random_below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static void sizes(void)
{
    struct facet_arena *arena = facet_arena_create(base, 1 << 20);
    CHECK(facet_arena_take(arena, 0, 0) == NULL);
    CHECK(facet_arena_take(arena, (1 << 20) + 1, 0) == NULL);
    CHECK(facet_arena_take(arena, UINT64_MAX, 0) == NULL);
    struct facet_allocation *all = facet_arena_take(arena, 1 << 20, 0);
    CHECK_EQUAL(base, all->address);
    CHECK(facet_arena_take(arena, 1, 0) == NULL);
    facet_arena_give(arena, all);
    struct facet_allocation *one = facet_arena_take(arena, 1, 0);
    struct facet_allocation *two = facet_arena_take(arena, 257, 0);
    CHECK_EQUAL(256, one->extent);
    CHECK_EQUAL(512, two->extent);
    CHECK_EQUAL(257, two->bytes);
    CHECK_EQUAL(0, two->address % 256);
    facet_arena_destroy(arena);
}

static void finds(void)
{
    struct facet_arena *arena = facet_arena_create(base, 1 << 20);
    struct facet_allocation *first = facet_arena_take(arena, 1000, 0);
    struct facet_allocation *second = facet_arena_take(arena, 1000, 0);
    CHECK(facet_arena_find(arena, base - 1) == NULL);
    CHECK(facet_arena_find(arena, first->address) == first);
    CHECK(facet_arena_find(arena, first->address + 999) == first);
    CHECK(facet_arena_find(arena, first->address + 1000) == NULL); /* rounding belongs to nobody */
    CHECK(facet_arena_find(arena, second->address + 1) == second);
    uint64_t address = first->address;
    facet_arena_give(arena, first);
    CHECK(facet_arena_find(arena, address) == NULL);
    /* The same size comes back at once, and from the same place. */
    CHECK_EQUAL(address, facet_arena_take(arena, 1000, 0)->address);
    facet_arena_destroy(arena);
}

/* The smallest hole that fits is taken, not the first. */
static void best_fit(void)
{
    struct facet_arena *arena = facet_arena_create(base, UINT64_C(1) << 30);
    uint64_t big = UINT64_C(40) << 20, small = UINT64_C(20) << 20;
    struct facet_allocation *hole = facet_arena_take(arena, big, 0);
    facet_arena_take(arena, 256, 0);
    struct facet_allocation *tight = facet_arena_take(arena, small, 0);
    facet_arena_take(arena, 256, 0);
    uint64_t expected = tight->address;
    facet_arena_give(arena, hole);
    facet_arena_give(arena, tight);
    CHECK_EQUAL(expected, facet_arena_take(arena, small - 256, 0)->address);
    facet_arena_destroy(arena);
}

static void aligned(void)
{
    struct facet_arena *arena = facet_arena_create(base + 256, 1 << 20);
    for (uint64_t alignment = 256; alignment <= 1 << 16; alignment *= 2) {
        struct facet_allocation *allocation = facet_arena_take(arena, 300, alignment);
        CHECK(allocation != NULL && allocation->address % alignment == 0);
        facet_arena_take(arena, 256, 0);
    }
    facet_arena_destroy(arena);
}

static void check_against(struct facet_arena *arena, struct facet_allocation *live[], unsigned char *map)
{
    for (int i = 0; i < LIVE; i++) {
        if (live[i] == NULL)
            continue;
        uint64_t probe = live[i]->address + random_below(live[i]->bytes);
        CHECK(facet_arena_find(arena, probe) == live[i]);
        for (uint64_t j = 0; j < live[i]->extent / 256; j++)
            CHECK_EQUAL(i % 255 + 1, map[(live[i]->address - base) / 256 + j]);
    }
}

static void count_one(struct facet_allocation *allocation, void *data)
{
    (void)allocation;
    ++*(int *)data;
}

static void random_use(void)
{
    uint64_t bytes = 4 << 20;
    struct facet_arena *arena = facet_arena_create(base, bytes);
    struct facet_allocation *live[LIVE] = {0};
    unsigned char *map = calloc(1, bytes / 256);
    for (int step = 0; step < STEPS && facet_failures == 0; step++) {
        int i = (int)random_below(LIVE);
        if (live[i] != NULL) {
            memset(map + (live[i]->address - base) / 256, 0, live[i]->extent / 256);
            facet_arena_give(arena, live[i]);
            live[i] = NULL;
        } else {
            uint64_t alignment = UINT64_C(1) << random_below(14);
            live[i] = facet_arena_take(arena, 1 + random_below(40000), alignment);
            if (live[i] == NULL)
                continue;
            CHECK(live[i]->address >= base && live[i]->address + live[i]->extent <= base + bytes);
            CHECK_EQUAL(0, live[i]->address % alignment);
            for (uint64_t j = 0; j < live[i]->extent / 256; j++) {
                CHECK_EQUAL(0, map[(live[i]->address - base) / 256 + j]);
                map[(live[i]->address - base) / 256 + j] = (unsigned char)(i % 255 + 1);
            }
        }
        if (step % 1000 == 0)
            check_against(arena, live, map);
    }
    int living = 0, counted = 0;
    for (int i = 0; i < LIVE; i++)
        living += live[i] != NULL;
    facet_arena_each(arena, count_one, &counted);
    CHECK_EQUAL(living, counted);
    for (int i = 0; i < LIVE; i++)
        if (live[i] != NULL)
            facet_arena_give(arena, live[i]);
    CHECK(facet_arena_take(arena, bytes, 0) != NULL); /* all joined again */
    facet_arena_destroy(arena);
    free(map);
}

static unsigned char *pages; /* 1: has a page, as a program that touches all it has */

/* As the host: what is to go goes later, in its order. */
enum { MOST_GOING = 8, AT_ONCE = 40000, MOST_UNDER_WAY = 5 };
static struct {
    uint64_t start, bytes, going;
} going[MOST_GOING];
static uint64_t asked, gone, going_bytes;

static void begin_return(uint64_t start, uint64_t bytes, uint64_t kept, void *data)
{
    CHECK(data == &gone);
    CHECK_EQUAL(0, start % FACET_ARENA_PAGE);
    CHECK_EQUAL(0, bytes % FACET_ARENA_PAGE);
    CHECK(bytes != 0 && kept <= bytes && kept > AT_ONCE && asked - gone < MOST_UNDER_WAY);
    going[asked % MOST_GOING].start = start;
    going[asked % MOST_GOING].bytes = bytes;
    going[asked % MOST_GOING].going = kept;
    going_bytes += kept;
    asked++;
}

static void return_now(uint64_t start, uint64_t bytes, void *data)
{
    CHECK(data == &gone);
    memset(pages + (start - base) / FACET_ARENA_PAGE, 0, bytes / FACET_ARENA_PAGE);
}

static const struct facet_returns returns = {.at_once = AT_ONCE, .most = MOST_UNDER_WAY, .now = return_now, .begin = begin_return, .data = &gone};

static void finish_return(struct facet_arena *arena)
{
    uint64_t start = going[gone % MOST_GOING].start, bytes = going[gone % MOST_GOING].bytes, kept = 0;
    for (uint64_t at = (start - base) / FACET_ARENA_PAGE; at < (start + bytes - base) / FACET_ARENA_PAGE; at++)
        kept += pages[at] ? FACET_ARENA_PAGE : 0;
    /* Pages at the ends of allocations reach into what was never given out, or has gone before. */
    CHECK(kept <= going[gone % MOST_GOING].going + 2 * 60 * FACET_ARENA_PAGE);
    memset(pages + (start - base) / FACET_ARENA_PAGE, 0, bytes / FACET_ARENA_PAGE);
    going_bytes -= going[gone % MOST_GOING].going;
    facet_arena_returned(arena, ++gone);
}

/* What is said to be kept is never less than the bytes that are free and have a page. */
static void keeps_what_it_says(void)
{
    enum { COUNT = 60, STEPS = 3000, MOST = 300000 };
    const uint64_t bytes = 8 << 20;
    struct facet_allocation *live[COUNT] = {0};
    struct facet_arena *arena = facet_arena_create(base, bytes);
    pages = calloc(1, bytes / FACET_ARENA_PAGE);
    unsigned char *used = calloc(1, bytes / 256);
    asked = gone = going_bytes = 0;
    for (int step = 0; step < STEPS && facet_failures == 0; step++) {
        int i = (int)random_below(COUNT);
        if (live[i] != NULL) {
            memset(used + (live[i]->address - base) / 256, 0, live[i]->extent / 256);
            if (random_below(4) == 0)
                facet_arena_give_pages(arena, live[i], &returns);
            else
                facet_arena_give(arena, live[i]);
            live[i] = NULL;
        } else if ((live[i] = facet_arena_take(arena, 1 + random_below(MOST), 0)) != NULL) {
            for (uint64_t at = gone; at < asked; at++) /* what is on its way is nobody's */
                CHECK(live[i]->address + live[i]->extent <= going[at % MOST_GOING].start ||
                      live[i]->address >= going[at % MOST_GOING].start + going[at % MOST_GOING].bytes);
            memset(used + (live[i]->address - base) / 256, 1, live[i]->extent / 256);
            uint64_t first = (live[i]->address - base) / FACET_ARENA_PAGE, last = (live[i]->address + live[i]->extent - 1 - base) / FACET_ARENA_PAGE;
            memset(pages + first, 1, last - first + 1);
        }
        if (random_below(50) == 0)
            facet_arena_trim(arena, random_below(1 << 20), &returns);
        while (gone < asked && random_below(8) == 0)
            finish_return(arena);
        CHECK_EQUAL(going_bytes, facet_arena_returning(arena));
        uint64_t kept = 0;
        for (uint64_t at = 0; at < bytes; at += 256)
            kept += !used[at / 256] && pages[at / FACET_ARENA_PAGE] ? 256 : 0;
        /* Pages at the ends of allocations, there or gone, reach into what was never given out, or has gone. */
        CHECK(facet_arena_kept(arena) + facet_arena_returning(arena) + 4 * COUNT * FACET_ARENA_PAGE >= kept);
        for (uint64_t at = 0; at < bytes; at += 256)
            CHECK(!used[at / 256] || pages[at / FACET_ARENA_PAGE]);
    }
    for (int i = 0; i < COUNT; i++)
        if (live[i] != NULL)
            facet_arena_give(arena, live[i]);
    /* What lay on pages between blocks that went one by one goes when they are joined. */
    for (int round = 0; round < 2; round++) {
        facet_arena_trim(arena, 0, &returns);
        while (gone < asked)
            finish_return(arena);
    }
    CHECK_EQUAL(0, facet_arena_returning(arena));
    CHECK(facet_arena_kept(arena) <= 2 * FACET_ARENA_PAGE);
    CHECK(facet_arena_take(arena, bytes, 0) != NULL); /* all joined again */
    facet_arena_destroy(arena);
    free(pages);
    free(used);
}

/* What was given out by one call is never given out by the other, whatever was freed. */
static void memory_apart_stays_apart(void)
{
    enum { COUNT = 64, STEPS = 20000 };
    struct {
        struct facet_allocation *allocation;
        bool apart;
    } live[COUNT] = {0};
    static unsigned char kind[1 << 16]; /* by address in 16 KiB: 1 or 2 */
    struct facet_arena *arena = facet_arena_create(base, UINT64_C(1) << 30);
    for (int step = 0; step < STEPS; step++) {
        int i = (int)random_below(COUNT);
        if (live[i].allocation != NULL) {
            facet_arena_give(arena, live[i].allocation);
            live[i].allocation = NULL;
            continue;
        }
        bool apart = random_below(2) == 0;
        uint64_t bytes = (1 + random_below(64)) << 14;
        live[i].apart = apart;
        live[i].allocation = apart ? facet_arena_take_apart(arena, bytes, 1 << 14) : facet_arena_take(arena, bytes, 1 << 14);
        CHECK(live[i].allocation != NULL);
        for (uint64_t at = live[i].allocation->address; at < live[i].allocation->address + bytes; at += 1 << 14) {
            unsigned char *mark = &kind[(at - base) >> 14];
            CHECK(*mark == 0 || *mark == 1 + apart);
            *mark = (unsigned char)(1 + apart);
        }
    }
    facet_arena_destroy(arena);
}

int main(int count, char **arguments)
{
    state = count > 1 ? strtoull(arguments[1], NULL, 0) : (uint64_t)time(NULL) * 2654435761u + 1;
    uint64_t seed = state;
    sizes();
    finds();
    best_fit();
    aligned();
    random_use();
    keeps_what_it_says();
    memory_apart_stays_apart();
    if (facet_failures != 0)
        fprintf(stderr, "seed 0x%llx\n", (unsigned long long)seed);
    return CHECK_RESULT();
}
