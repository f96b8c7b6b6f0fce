#include "registered.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_tree tree; /* by host address */
static _Atomic unsigned count;

static struct facet_registered *owner(struct facet_tree_node *node)
{
    return node == NULL ? NULL : FACET_OWNER(node, struct facet_registered, node);
}

/* The one that includes an address, or the next one below it. */
static struct facet_registered *upto(uint64_t host)
{
    return owner(facet_tree_upto(&tree, host, UINT64_MAX));
}

CUresult facet_registered_add(const struct facet_registered *registered)
{
    struct facet_registered *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *entry = *registered;
    entry->node.key = entry->host;
    entry->node.second = 0;
    pthread_mutex_lock(&lock);
    struct facet_registered *below = upto(entry->host + entry->bytes - 1);
    bool overlaps = below != NULL && below->host + below->bytes > entry->host;
    if (!overlaps) {
        facet_tree_insert(&tree, &entry->node);
        count++;
    }
    pthread_mutex_unlock(&lock);
    if (overlaps)
        free(entry);
    return overlaps ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED : CUDA_SUCCESS;
}

bool facet_registered_find(uint64_t host, struct facet_registered *found)
{
    if (count == 0)
        return false;
    pthread_mutex_lock(&lock);
    struct facet_registered *entry = upto(host);
    bool inside = entry != NULL && host - entry->host < entry->bytes;
    if (inside)
        *found = *entry;
    pthread_mutex_unlock(&lock);
    return inside;
}

static bool take_out(struct facet_registered *entry, struct facet_registered *removed)
{
    if (entry == NULL)
        return false;
    facet_tree_remove(&tree, &entry->node);
    count--;
    *removed = *entry;
    free(entry);
    return true;
}

bool facet_registered_remove(uint64_t host, struct facet_registered *removed)
{
    pthread_mutex_lock(&lock);
    struct facet_registered *entry = upto(host);
    bool found = take_out(entry != NULL && entry->host == host ? entry : NULL, removed);
    pthread_mutex_unlock(&lock);
    return found;
}

bool facet_registered_remove_of(const struct facet_context *context, struct facet_registered *removed)
{
    pthread_mutex_lock(&lock);
    struct facet_tree_node *node = facet_tree_from(&tree, 0, 0);
    while (node != NULL && owner(node)->context != context)
        node = facet_tree_from(&tree, node->key, 1);
    bool found = take_out(owner(node), removed);
    pthread_mutex_unlock(&lock);
    return found;
}

void facet_registered_before_fork(void)
{
    pthread_mutex_lock(&lock);
}

/* The pages at both ends hold other data of the program too, its heap's for instance: the child needs
 * them as they are now. What lies between is the buffer itself, and may be taken as it comes. */
static void part(const struct facet_registered *entry)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *copy = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return;
    char *start = (char *)(uintptr_t)entry->page;
    char *last = start + entry->page_bytes - page;
    memcpy(copy, start, page);
    memcpy((char *)copy + page, last, page);
    off_t offset = (off_t)(entry->address - entry->context->base);
    if (mmap(start, entry->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, entry->context->memory, offset) != MAP_FAILED) {
        memcpy(start, copy, page);
        memcpy(last, (char *)copy + page, page);
    }
    munmap(copy, 2 * page);
}

void facet_registered_after_fork(bool child)
{
    if (child) {
        struct facet_tree_node *node = facet_tree_from(&tree, 0, 0);
        for (; node != NULL; node = facet_tree_from(&tree, node->key, 1))
            if (owner(node)->address != 0)
                part(owner(node));
    }
    pthread_mutex_unlock(&lock);
}
