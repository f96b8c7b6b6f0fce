/* Memory and events of other processes of the slice, by handles of 64 bytes. */
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "share.h"

#define MEMORY UINT64_C(0x6d656d2d74656366)
#define EVENT UINT64_C(0x7476652d74656366)

struct told {
    uint64_t magic;
    uint64_t name[2];
    uint64_t place; /* of memory: facet_share_place */
    uint64_t zero[4];
};

_Static_assert(sizeof(struct told) == sizeof(CUipcMemHandle) && sizeof(struct told) == sizeof(CUipcEventHandle), "as the program has it");

/* An allocation of ours that others may open, or one of others that is open here. With the lock of the calls. */
struct shared {
    struct shared *next;
    struct facet_segment *segment;
    struct facet_context *context; /* of ours; NULL: of others */
    uint64_t address;
    uint64_t name[2];
    uint64_t place; /* of others: facet_share_place */
    unsigned opened;
    bool pooled; /* of others: of a pool, so that it is closed by freeing it */
    bool freed; /* by the program; it waits for others */
};

static struct shared *all;
static _Atomic unsigned waiting; /* how many are freed */

static struct shared **place_of(bool ours, uint64_t address)
{
    struct shared **link = &all;
    while (*link != NULL && (((*link)->context != NULL) != ours || (*link)->address != address))
        link = &(*link)->next;
    return link;
}

static void take_out(struct shared **link)
{
    struct shared *gone = *link;
    *link = gone->next;
    waiting -= gone->freed;
    free(gone);
}

/* What a handle of another process says, for the current context. */
static CUresult read_handle(const void *handle, uint64_t magic, struct told *told, struct facet_context **context)
{
    CUresult result = facet_context_current(context);
    if (result != CUDA_SUCCESS)
        return result;
    memcpy(told, handle, sizeof *told);
    return told->magic == magic ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- of ours */

static CUresult named(struct facet_context *context, const struct facet_allocation *found, uint64_t name[2])
{
    struct shared *known = *place_of(true, found->address);
    if (known != NULL) {
        memcpy(name, known->name, sizeof known->name);
        return CUDA_SUCCESS;
    }
    struct shared *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->segment = facet_object_create(FACET_SEGMENT, context);
    CUresult result = made->segment == NULL
                          ? CUDA_ERROR_OUT_OF_MEMORY
                          : facet_wait_segment_share(context->object.id, found->address, made->segment->object.id, &name[0], &name[1]);
    if (result != CUDA_SUCCESS) {
        if (made->segment != NULL)
            facet_object_destroy(made->segment);
        free(made);
        return result;
    }
    made->context = context;
    made->address = found->address;
    memcpy(made->name, name, sizeof made->name);
    made->next = all;
    all = made;
    return CUDA_SUCCESS;
}

CUresult facet_share_name(const struct facet_allocation *found, uint64_t name[2])
{
    struct facet_context *context = facet_context_of_address(found->address);
    if (context == NULL || found->kind != FACET_MEMORY_DEVICE || found->reserved || found->buffer == 0 || found->bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!facet_segment_possible(context->device) || !facet_command_known(FACET_COMMAND_SEGMENT_SHARE))
        return facet_unsupported("memory for other processes, on this device");
    facet_mapped_begin();
    CUresult result = named(context, found, name);
    facet_mapped_end();
    return result;
}

uint64_t facet_share_place(const struct facet_allocation *found)
{
    const struct facet_context *context = facet_context_of_address(found->address);
    return context != NULL && context->far ? FACET_CHUNK + (found->address - context->base) % FACET_CHUNK : 0;
}

CUresult facet_cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_allocation found;
    if (!facet_memory_find(address, &found) || found.pool != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct told told = {.magic = MEMORY};
    result = facet_share_name(&found, told.name);
    told.place = facet_share_place(&found);
    if (result == CUDA_SUCCESS)
        memcpy(handle, &told, sizeof told);
    return result;
}

/* False when others have it open. */
static bool end(struct shared **link)
{
    struct facet_segment *segment = (*link)->segment;
    if (facet_wait_segment_release(0, segment->object.id, 1) == CUDA_ERROR_NOT_READY)
        return false;
    facet_object_destroy(segment);
    take_out(link);
    return true;
}

bool facet_share_end(struct facet_context *context, uint64_t address)
{
    bool over = true;
    facet_mapped_begin();
    struct shared **link = place_of(true, address);
    if (*link != NULL && (*link)->context == context && !end(link)) {
        (*link)->freed = true;
        waiting++;
        over = false;
    }
    facet_mapped_end();
    return over;
}

bool facet_share_freed(uint64_t address)
{
    if (waiting == 0)
        return false;
    facet_mapped_begin();
    const struct shared *known = *place_of(true, address);
    bool freed = known != NULL && known->freed;
    facet_mapped_end();
    return freed;
}

bool facet_share_reap(void)
{
    bool some = false;
    if (waiting == 0)
        return false;
    facet_mapped_begin();
    for (struct shared **link = &all; *link != NULL;) {
        struct facet_context *context = (*link)->context;
        uint64_t address = (*link)->address;
        if (!(*link)->freed || !end(link)) {
            link = &(*link)->next;
            continue;
        }
        facet_memory_give(context, address);
        some = true;
    }
    facet_mapped_end();
    return some;
}

void facet_share_forget(struct facet_context *context)
{
    facet_mapped_begin();
    for (struct shared **link = &all; *link != NULL;) {
        if ((*link)->context != context) {
            link = &(*link)->next;
            continue;
        }
        facet_wait_segment_release(0, (*link)->segment->object.id, 0);
        facet_object_destroy((*link)->segment);
        take_out(link);
    }
    facet_mapped_end();
}

/* ---- of others */

static uint64_t rounded(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

/* From the beginning of its reservation. */
static uint64_t skew_of(const struct shared *known)
{
    return known->place % FACET_CHUNK;
}

/* Whole chunks where the device maps them; else nothing lies side by side with it. */
static uint64_t room_of(const struct shared *known)
{
    uint64_t bytes = known->segment->bytes;
    return known->place == 0 ? rounded(bytes, FACET_GRANULE) + FACET_GRANULE : rounded(skew_of(known) + bytes, FACET_CHUNK);
}

/* For all devices that the program sees: what lies on another one is a peer's, where they reach each other. */
static CUresult map_at(struct shared *known)
{
    struct facet_segment *segment = known->segment;
    CUresult result = facet_mapped_map(known->address, segment->bytes, 0, segment);
    for (int i = 0; i < facet_device_count() && result == CUDA_SUCCESS; i++) {
        result = facet_mapped_access(known->address, segment->bytes, i, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        if (result == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED && i != segment->device)
            result = CUDA_SUCCESS;
    }
    if (result != CUDA_SUCCESS && segment->mappings > 0)
        facet_mapped_unmap(known->address, segment->bytes);
    return result;
}

/* Another program of the slice may have the addresses on the device: then others are tried. */
static CUresult map(struct shared *known)
{
    enum { TRIES = 16 };
    uint64_t start[TRIES];
    int count = 0;
    CUresult result;
    do {
        result = facet_mapped_reserve(room_of(known), known->place == 0 ? FACET_GRANULE : FACET_CHUNK, 0, &start[count]);
        if (result != CUDA_SUCCESS)
            break;
        known->address = start[count++] + skew_of(known);
        result = map_at(known);
    } while (result == CUDA_ERROR_ALREADY_MAPPED && count < TRIES);
    while (count-- > 0)
        if (result != CUDA_SUCCESS || start[count] != known->address - skew_of(known))
            facet_mapped_free(start[count], room_of(known));
    return result;
}

static CUresult open(const uint64_t name[2], uint64_t place, bool pooled, uint64_t *address)
{
    for (struct shared *known = all; known != NULL; known = known->next)
        if (known->context == NULL && known->pooled == pooled && memcmp(known->name, name, sizeof known->name) == 0) {
            known->opened++;
            *address = known->address;
            return CUDA_SUCCESS;
        }
    struct shared *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->place = place;
    CUresult result = facet_segment_open(name, true, &made->segment);
    if (result == CUDA_SUCCESS) {
        result = map(made);
        if (result != CUDA_SUCCESS) {
            made->segment->references = 0;
            facet_segment_drop(made->segment);
        }
    }
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    memcpy(made->name, name, sizeof made->name);
    made->opened = 1;
    made->pooled = pooled;
    made->next = all;
    all = made;
    *address = made->address;
    return CUDA_SUCCESS;
}

CUresult facet_share_open(const uint64_t name[2], uint64_t place, bool pooled, uint64_t *address)
{
    facet_mapped_begin();
    CUresult result = open(name, place, pooled, address);
    facet_mapped_end();
    if (result == CUDA_ERROR_INVALID_HANDLE)
        facet_say("memory of another process cannot be opened: it belongs to another slice, or is gone");
    return result;
}

CUresult facet_cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags)
{
    struct facet_context *context;
    struct told told;
    CUresult result = read_handle(&handle, MEMORY, &told, &context);
    if (result == CUDA_SUCCESS)
        result = flags > CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS ? CUDA_ERROR_INVALID_VALUE : facet_segment_device(context->device);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t chosen = 0;
    result = facet_share_open(told.name, told.place, false, &chosen);
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr)chosen;
    return result;
}

/* What may still use it comes to rest before it goes. */
CUresult facet_share_close(bool pooled, uint64_t address)
{
    facet_mapped_begin();
    struct shared **link = place_of(false, address);
    struct shared *known = *link;
    if (known != NULL && known->pooled != pooled)
        known = NULL;
    CUresult result = known == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (known != NULL && --known->opened == 0) {
        struct facet_segment *segment = known->segment;
        uint64_t room = room_of(known);
        segment->references = 0;
        result = facet_mapped_unmap(address, segment->bytes); /* the segment goes with it */
        facet_mapped_free(address - skew_of(known), room);
        take_out(link);
    }
    facet_mapped_end();
    return result;
}

CUresult facet_cuIpcCloseMemHandle(CUdeviceptr address)
{
    CUresult result = facet_session_check();
    return result == CUDA_SUCCESS ? facet_share_close(false, address) : result;
}

/* ---- events */

CUresult facet_cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event_handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_event *event = facet_object(event_handle, FACET_EVENT);
    if (event == NULL || (event->flags & CU_EVENT_INTERPROCESS) == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!facet_command_known(FACET_COMMAND_EVENT_SHARE))
        return facet_unsupported("cuIpcGetEventHandle");
    struct told told = {.magic = EVENT};
    result = facet_wait_event_share(event->object.context->object.id, 0, 0, event->object.id, 0, &told.name[0], &told.name[1]);
    if (result == CUDA_SUCCESS)
        memcpy(handle, &told, sizeof told);
    return result;
}

CUresult facet_cuIpcOpenEventHandle(CUevent *handle, CUipcEventHandle from)
{
    struct facet_context *context;
    struct told told;
    CUresult result = read_handle(&from, EVENT, &told, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!facet_command_known(FACET_COMMAND_EVENT_SHARE))
        return CUDA_ERROR_INVALID_HANDLE;
    struct facet_event *event = facet_object_create(FACET_EVENT, context);
    if (event == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    event->flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
    uint64_t unused[2];
    result = facet_wait_event_share(context->object.id, told.name[0], told.name[1], event->object.id, 1, &unused[0], &unused[1]);
    if (result != CUDA_SUCCESS) {
        facet_object_destroy(event);
        return result;
    }
    *handle = (CUevent)event;
    return CUDA_SUCCESS;
}
