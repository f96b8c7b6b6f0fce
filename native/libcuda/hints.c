#include "hints.h"

#include <stdlib.h>

#include "tree.h"

struct part {
    struct facet_tree_node node; /* by start */
    uint64_t end;
    struct facet_advice advice;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_tree tree; /* parts do not overlap, and neighbours differ */
static _Atomic unsigned count; /* mostly 0, and then there is nothing to look for */

static struct part *owner(struct facet_tree_node *node)
{
    return node == NULL ? NULL : FACET_OWNER(node, struct part, node);
}

static struct part *from(uint64_t address)
{
    return owner(facet_tree_from(&tree, address, 0));
}

/* The one that includes an address, or NULL. */
static struct part *around(uint64_t address)
{
    struct part *part = owner(facet_tree_upto(&tree, address, 0));
    return part != NULL && part->end > address ? part : NULL;
}

static void insert(struct part *part, uint64_t start, uint64_t end, const struct facet_advice *advice)
{
    part->node.key = start;
    part->node.second = 0;
    part->end = end;
    part->advice = *advice;
    facet_tree_insert(&tree, &part->node);
    count++;
}

static void drop(struct part *part)
{
    facet_tree_remove(&tree, &part->node);
    count--;
    free(part);
}

static const struct facet_advice nothing; /* was said */

static bool same(const struct facet_advice *one, const struct facet_advice *other)
{
    return one->read_mostly == other->read_mostly && one->accessed_by == other->accessed_by &&
           facet_location_same(one->preferred, other->preferred) && facet_location_same(one->prefetched, other->prefetched);
}

/* Whether the fresh part was needed. */
static bool cut(uint64_t at, struct part *fresh)
{
    struct part *part = around(at);
    if (part == NULL || part->node.key == at)
        return false;
    insert(fresh, at, part->end, &part->advice);
    part->end = at;
    return true;
}

/* Gaps of the range become parts about which nothing was said. */
static bool fill_gaps(uint64_t start, uint64_t end)
{
    for (uint64_t at = start; at < end;) {
        struct part *next = from(at);
        if (next != NULL && next->node.key == at) {
            at = next->end;
            continue;
        }
        struct part *fresh = malloc(sizeof *fresh);
        if (fresh == NULL)
            return false;
        uint64_t gap_end = next == NULL || next->node.key > end ? end : next->node.key;
        insert(fresh, at, gap_end, &nothing);
        at = gap_end;
    }
    return true;
}

/* Puts neighbours together that are alike, and forgets parts about which nothing is said. */
static void tidy(uint64_t start, uint64_t end)
{
    struct part *last = start == 0 ? NULL : around(start - 1);
    for (struct part *part = from(start), *next; part != NULL && part->node.key <= end; part = next) {
        next = from(part->end);
        if (same(&part->advice, &nothing)) {
            drop(part);
        } else if (last != NULL && last->end == part->node.key && same(&last->advice, &part->advice)) {
            last->end = part->end;
            drop(part);
        } else {
            last = part;
        }
    }
}

CUresult facet_hints_change(uint64_t start, uint64_t end, void (*change)(struct facet_advice *advice, uint64_t start, uint64_t end, void *data),
                            void *data)
{
    struct part *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    if (first == NULL || second == NULL) {
        free(first);
        free(second);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&lock);
    if (!cut(start, first))
        free(first);
    if (!cut(end, second))
        free(second);
    bool whole = fill_gaps(start, end);
    for (struct part *part = from(start); whole && part != NULL && part->node.key < end; part = from(part->end))
        change(&part->advice, part->node.key, part->end, data);
    tidy(start, end);
    pthread_mutex_unlock(&lock);
    return whole ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void facet_hints_each(uint64_t start, uint64_t end, void (*visit)(const struct facet_advice *advice, void *data), void *data)
{
    pthread_mutex_lock(&lock);
    for (uint64_t at = start; at < end;) {
        struct part *part = around(at);
        if (part != NULL) {
            visit(&part->advice, data);
            at = part->end;
            continue;
        }
        visit(&nothing, data);
        part = from(at);
        at = part == NULL ? end : part->node.key;
    }
    pthread_mutex_unlock(&lock);
}

/* Allocations are dropped as a whole, so no part reaches beyond one. */
void facet_hints_forget(uint64_t start, uint64_t end)
{
    if (count == 0)
        return;
    pthread_mutex_lock(&lock);
    for (struct part *part = from(start), *next; part != NULL && part->node.key < end; part = next) {
        next = from(part->end);
        drop(part);
    }
    pthread_mutex_unlock(&lock);
}
