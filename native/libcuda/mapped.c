#include "mapped.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* Below the addresses of contexts, above the device's windows for shared and local memory. */
#define PLACE UINT64_C(0x640000000000)
#define PLACES (UINT32_C(1) << 22) /* of a granule each, from which a program begins at one */
#define WINDOWS_START UINT64_C(0x600000000000)
#define WINDOWS_END UINT64_C(0x630100000000)
#define LOWEST (UINT64_C(1) << 32)
#define HIGHEST (UINT64_C(1) << 47)

struct reservation {
    struct facet_tree_node node; /* by address */
    uint64_t bytes;
    unsigned mappings;
};

static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER; /* the two trees; never held while waiting */
static struct facet_tree reservations, mappings;
static _Atomic unsigned mapped; /* mostly 0, and then there is nothing to look for */
static uint64_t next_place; /* with the lock of the calls */

void facet_mapped_begin(void)
{
    pthread_mutex_lock(&calls);
}

void facet_mapped_end(void)
{
    pthread_mutex_unlock(&calls);
}

static struct reservation *reservation_of(uint64_t address)
{
    struct facet_tree_node *node = facet_tree_upto(&reservations, address, UINT64_MAX);
    struct reservation *found = node == NULL ? NULL : FACET_OWNER(node, struct reservation, node);
    return found != NULL && address - found->node.key < found->bytes ? found : NULL;
}

static struct facet_mapping *mapping_of(uint64_t address)
{
    struct facet_tree_node *node = facet_tree_upto(&mappings, address, UINT64_MAX);
    struct facet_mapping *found = node == NULL ? NULL : FACET_OWNER(node, struct facet_mapping, node);
    return found != NULL && address - found->node.key < found->bytes ? found : NULL;
}

/* ---- reservations */

/* Kernels take some addresses for other things. */
static bool usable(uint64_t start, uint64_t bytes)
{
    return start >= LOWEST && start + bytes <= HIGHEST && (start >= WINDOWS_END || start + bytes <= WINDOWS_START);
}

static void give_back(uint64_t start, uint64_t end)
{
    if (start < end)
        munmap((void *)(uintptr_t)start, end - start);
}

/* Programs of a slice may have one space of addresses on their device, and each begins elsewhere. */
static uint64_t first_place(void)
{
    uint32_t drawn;
    return getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) == (ssize_t)sizeof drawn ? PLACE + drawn % PLACES * FACET_GRANULE : PLACE;
}

/* Those that were asked for and no others; 0 when something is there. */
static uint64_t take_exactly(uint64_t bytes, uint64_t alignment, uint64_t start)
{
    if (start % alignment != 0)
        return 0;
    void *place = mmap((void *)(uintptr_t)start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == MAP_FAILED)
        return 0;
    if ((uint64_t)(uintptr_t)place != start) /* a kernel that does not know the flag */
        give_back((uint64_t)(uintptr_t)place, (uint64_t)(uintptr_t)place + bytes);
    return (uint64_t)(uintptr_t)place == start ? start : 0;
}

/* Some addresses more, of which those are kept that begin where they should. */
static uint64_t take(uint64_t bytes, uint64_t alignment, uint64_t hint)
{
    uint64_t all = bytes + alignment;
    void *place = mmap((void *)(uintptr_t)hint, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return 0;
    uint64_t start = (uint64_t)(uintptr_t)place, first = (start + alignment - 1) & ~(alignment - 1);
    if (!usable(first, bytes)) {
        give_back(start, start + all);
        return 0;
    }
    give_back(start, first);
    give_back(first + bytes, start + all);
    return first;
}

CUresult facet_mapped_reserve(uint64_t bytes, uint64_t alignment, uint64_t hint, uint64_t *address)
{
    if (bytes > HIGHEST || alignment > HIGHEST)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct reservation *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t start = 0;
    if (next_place == 0)
        next_place = first_place();
    if (hint != 0 && usable(hint, bytes)) {
        start = take_exactly(bytes, alignment, hint);
        if (start == 0)
            start = take(bytes, alignment, hint);
    }
    if (start == 0)
        start = take(bytes, alignment, next_place);
    if (start == 0) {
        free(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (start >= next_place && start < next_place + HIGHEST / 64)
        next_place = start + bytes;
    made->node.key = start;
    made->bytes = bytes;
    pthread_mutex_lock(&book);
    facet_tree_insert(&reservations, &made->node);
    pthread_mutex_unlock(&book);
    *address = start;
    return CUDA_SUCCESS;
}

CUresult facet_mapped_free(uint64_t address, uint64_t bytes)
{
    pthread_mutex_lock(&book);
    struct reservation *found = reservation_of(address);
    bool whole = found != NULL && found->node.key == address && found->bytes == bytes && found->mappings == 0;
    if (whole)
        facet_tree_remove(&reservations, &found->node);
    pthread_mutex_unlock(&book);
    if (!whole)
        return CUDA_ERROR_INVALID_VALUE;
    give_back(address, address + bytes);
    next_place = address < next_place && address >= PLACE ? address : next_place;
    free(found);
    return CUDA_SUCCESS;
}

/* ---- mappings */

CUresult facet_mapped_map(uint64_t address, uint64_t bytes, uint64_t offset, struct facet_segment *segment)
{
    pthread_mutex_lock(&book);
    struct reservation *reservation = reservation_of(address);
    bool inside = reservation != NULL && bytes <= reservation->bytes - (address - reservation->node.key);
    pthread_mutex_unlock(&book);
    if (!inside)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_mapping *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = facet_wait_segment_map(0, address, offset, bytes, segment->object.id);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    made->node.key = address;
    made->bytes = bytes;
    made->offset = offset;
    made->segment = segment;
    made->buffer = facet_memory_next_buffer();
    made->opened = segment->allocation;
    segment->mappings++;
    pthread_mutex_lock(&book);
    facet_tree_insert(&mappings, &made->node);
    reservation->mappings++;
    mapped++;
    pthread_mutex_unlock(&book);
    return CUDA_SUCCESS;
}

static struct facet_mapping *take_out(uint64_t address)
{
    pthread_mutex_lock(&book);
    struct facet_mapping *found = mapping_of(address);
    if (found != NULL) {
        facet_tree_remove(&mappings, &found->node);
        reservation_of(address)->mappings--;
        mapped--;
    }
    pthread_mutex_unlock(&book);
    return found;
}

static void rest(void *object, void *data)
{
    struct facet_context *context = object;
    (void)data;
    if (context->live)
        facet_context_rest(context); /* a fault of it is told elsewhere */
}

/* The host takes whole mappings alone, and answers when nothing uses them any more. What is under way finds them as they are. */
CUresult facet_mapped_unmap(uint64_t address, uint64_t bytes)
{
    facet_object_each(FACET_CONTEXT, NULL, rest, NULL);
    CUresult result = facet_wait_segment_unmap(0, address, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_mapping *found;
    for (uint64_t at = address; at < address + bytes && (found = take_out(at)) != NULL; at += found->bytes, free(found)) {
        found->segment->mappings--;
        facet_segment_drop(found->segment);
    }
    return CUDA_SUCCESS;
}

CUresult facet_mapped_access(uint64_t address, uint64_t bytes, int device, unsigned access)
{
    CUresult result = facet_wait_segment_access(0, address, bytes, (uint32_t)facet_device_number(device), access);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t bit = UINT64_C(1) << device;
    pthread_mutex_lock(&book);
    struct facet_mapping *found;
    for (uint64_t at = address; at < address + bytes && (found = mapping_of(at)) != NULL; at += found->bytes) {
        found->readable = access == CU_MEM_ACCESS_FLAGS_PROT_NONE ? found->readable & ~bit : found->readable | bit;
        found->writable = access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? found->writable | bit : found->writable & ~bit;
    }
    pthread_mutex_unlock(&book);
    return CUDA_SUCCESS;
}

bool facet_mapped_find(uint64_t address, struct facet_mapping *found)
{
    if (mapped == 0)
        return false;
    pthread_mutex_lock(&book);
    const struct facet_mapping *mapping = mapping_of(address);
    if (mapping != NULL)
        *found = *mapping;
    pthread_mutex_unlock(&book);
    return mapping != NULL;
}

bool facet_mapped_covers(uint64_t address, uint64_t bytes)
{
    pthread_mutex_lock(&book);
    uint64_t left = bytes;
    const struct facet_mapping *mapping = mapping_of(address);
    while (mapping != NULL && left > mapping->node.key + mapping->bytes - address) {
        left -= mapping->node.key + mapping->bytes - address;
        address = mapping->node.key + mapping->bytes;
        mapping = mapping_of(address);
    }
    pthread_mutex_unlock(&book);
    return mapping != NULL;
}

bool facet_mapped_allocation(uint64_t address, struct facet_allocation *found)
{
    struct facet_mapping mapping;
    if (!facet_mapped_find(address, &mapping))
        return false;
    *found = (struct facet_allocation){
        .address = mapping.node.key,
        .bytes = mapping.bytes,
        .extent = mapping.bytes,
        .kind = FACET_MEMORY_DEVICE,
        .buffer = mapping.buffer,
        .mapped = true,
        .device = mapping.segment->device,
        .handle_types = mapping.segment->handle_types,
    };
    return true;
}
