/* Memory that graphs allocate. */
#include <stdlib.h>

#include "../memory.h"
#include "../reserve.h"
#include "graph.h"

enum { DEVICES = 64 };

static struct facet_graph_memory *_Atomic first;

/* Bytes of each device, and the most there were since the program reset it. */
static struct {
    uint64_t used, used_high, reserved, reserved_high;
} figures[DEVICES];

static void count(uint64_t *figure, uint64_t *high, uint64_t more)
{
    *figure += more;
    *high = *figure > *high ? *figure : *high;
}

static bool living(const struct facet_graph_memory *memory)
{
    return memory->context->unique == memory->unique;
}

CUresult facet_graph_memory_new(struct facet_context *context, uint64_t bytes, struct facet_graph_memory **memory)
{
    struct facet_graph_memory *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *made = (struct facet_graph_memory){.references = 1, .context = context, .unique = context->unique, .bytes = bytes};
    CUresult result = facet_reserve(context, bytes, &made->address);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    made->next = first;
    first = made;
    *memory = made;
    return CUDA_SUCCESS;
}

struct facet_graph_memory *facet_graph_memory_at(uint64_t address)
{
    for (struct facet_graph_memory *each = first; each != NULL; each = each->next)
        if (each->address == address && living(each))
            return each;
    return NULL;
}

CUresult facet_graph_memory_back(struct facet_graph_memory *memory)
{
    if (!living(memory))
        return CUDA_ERROR_INVALID_HANDLE;
    if (memory->backed)
        return CUDA_SUCCESS;
    CUresult result = facet_reserve_back(memory->context, memory->address);
    if (result == CUDA_SUCCESS) {
        memory->backed = true;
        int device = memory->context->device;
        count(&figures[device].reserved, &figures[device].reserved_high, memory->bytes);
    }
    return result;
}

void facet_graph_memory_live(struct facet_graph_memory *memory, bool live)
{
    int device = memory->context->device;
    /* While a launch runs it is used, also when the same launch frees it. */
    if (live && !memory->live)
        count(&figures[device].used, &figures[device].used_high, memory->bytes);
    else if (!live && memory->live)
        figures[device].used -= memory->bytes;
    memory->live = live;
}

bool facet_graph_memory_freed(uint64_t address, CUresult *result)
{
    if (atomic_load_explicit(&first, memory_order_relaxed) == NULL)
        return false;
    facet_graph_enter();
    struct facet_graph_memory *memory = facet_graph_memory_at(address);
    if (memory != NULL) {
        *result = memory->live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        if (memory->live)
            facet_graph_memory_live(memory, false);
        if (memory->references == 0) {
            memory->references = 1;
            facet_graph_memory_drop(memory);
        }
    }
    facet_graph_leave(CUDA_SUCCESS);
    return memory != NULL;
}

static void unback(struct facet_graph_memory *memory)
{
    if (memory->backed)
        figures[memory->context->device].reserved -= memory->bytes;
    memory->backed = false;
}

/* What a launch has allocated and nobody has freed stays the program's when the graphs are gone. */
void facet_graph_memory_drop(struct facet_graph_memory *memory)
{
    if (--memory->references > 0 || (memory->live && living(memory)))
        return;
    if (first == memory)
        first = memory->next;
    for (struct facet_graph_memory *each = first; each != NULL; each = each->next)
        if (each->next == memory)
            each->next = memory->next;
    facet_graph_memory_live(memory, false);
    if (living(memory)) {
        if (memory->backed)
            facet_context_rest(memory->context);
        facet_memory_give(memory->context, memory->address);
    }
    unback(memory);
    free(memory);
}

static CUresult trim(CUdevice device)
{
    CUresult result = CUDA_SUCCESS;
    for (struct facet_graph_memory *each = first; each != NULL && result == CUDA_SUCCESS; each = each->next)
        if (each->backed && !each->live && living(each) && each->context->device == device) {
            result = facet_context_rest(each->context);
            if (result == CUDA_SUCCESS && facet_reserve_unback(each->context, each->address))
                unback(each);
        }
    return result;
}

static CUresult check(CUdevice device)
{
    CUresult result = facet_session_check();
    return result == CUDA_SUCCESS && (facet_device(device) == NULL || device >= DEVICES) ? CUDA_ERROR_INVALID_DEVICE : result;
}

CUresult facet_cuDeviceGraphMemTrim(CUdevice device)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    return facet_graph_leave(trim(device));
}

static uint64_t *figure(CUdevice device, CUgraphMem_attribute attribute)
{
    switch ((int)attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
        return &figures[device].used;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
        return &figures[device].used_high;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
        return &figures[device].reserved;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
        return &figures[device].reserved_high;
    default:
        return NULL;
    }
}

CUresult facet_cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    facet_graph_enter();
    const uint64_t *found = figure(device, attribute);
    if (found != NULL && value != NULL)
        *(cuuint64_t *)value = *found;
    return facet_graph_leave(found == NULL || value == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

/* The high marks can be set to 0, and nothing else. */
CUresult facet_cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult result = check(device);
    if (result != CUDA_SUCCESS)
        return result;
    bool high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (!high || value == NULL || *(cuuint64_t *)value != 0)
        return CUDA_ERROR_INVALID_VALUE;
    facet_graph_enter();
    *figure(device, attribute) =
        *figure(device, attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ? CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT : CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT);
    return facet_graph_leave(CUDA_SUCCESS);
}
