/* Objects of the program that graphs keep alive. */
#include <stdlib.h>

#include "graph.h"

struct facet_held {
    struct facet_user_object *object;
    uint64_t count;
    struct facet_held *next;
};

static struct facet_user_object *_Atomic first_due;

static void release(struct facet_user_object *object, uint64_t count)
{
    object->references -= count;
    if (object->references == 0) {
        object->due = first_due;
        first_due = object;
    }
}

void facet_user_objects_end(void)
{
    if (atomic_load_explicit(&first_due, memory_order_relaxed) == NULL)
        return;
    for (struct facet_user_object *each = atomic_exchange(&first_due, NULL), *next; each != NULL; each = next) {
        next = each->due;
        each->destroy(each->data);
        facet_object_destroy(each);
    }
}

static struct facet_held **find(struct facet_graph *graph, const struct facet_user_object *object)
{
    struct facet_held **held = &graph->held;
    while (*held != NULL && (*held)->object != object)
        held = &(*held)->next;
    return held;
}

/* The references are the graph's from then on. */
static CUresult hold(struct facet_graph *graph, struct facet_user_object *object, uint64_t count)
{
    struct facet_held **held = find(graph, object);
    if (*held == NULL) {
        *held = calloc(1, sizeof **held);
        if (*held == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        (*held)->object = object;
    }
    (*held)->count += count;
    return CUDA_SUCCESS;
}

CUresult facet_held_copy(const struct facet_graph *from, struct facet_graph *to)
{
    for (const struct facet_held *each = from->held; each != NULL; each = each->next) {
        CUresult result = hold(to, each->object, each->count);
        if (result != CUDA_SUCCESS)
            return result;
        each->object->references += each->count;
    }
    return CUDA_SUCCESS;
}

void facet_held_free(struct facet_graph *graph)
{
    for (struct facet_held *each = graph->held, *next; each != NULL; each = next) {
        next = each->next;
        release(each->object, each->count);
        free(each);
    }
    graph->held = NULL;
}

static bool is_count(unsigned count)
{
    return count > 0 && count <= INT32_MAX;
}

CUresult facet_cuUserObjectCreate(CUuserObject *handle, void *data, CUhostFn destroy, unsigned int count, unsigned int flags)
{
    if (destroy == NULL || !is_count(count) || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_user_object *object = facet_object_create(FACET_USER_OBJECT, NULL);
    if (object == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    object->data = data;
    object->destroy = destroy;
    object->references = count;
    *handle = (CUuserObject)object;
    return CUDA_SUCCESS;
}

CUresult facet_cuUserObjectRetain(CUuserObject handle, unsigned int count)
{
    facet_graph_enter();
    struct facet_user_object *object = facet_object(handle, FACET_USER_OBJECT);
    bool good = object != NULL && is_count(count);
    if (good)
        object->references += count;
    return facet_graph_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult facet_cuUserObjectRelease(CUuserObject handle, unsigned int count)
{
    facet_graph_enter();
    struct facet_user_object *object = facet_object(handle, FACET_USER_OBJECT);
    bool good = object != NULL && is_count(count) && count <= object->references;
    if (good)
        release(object, count);
    return facet_graph_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

static CUresult retain(struct facet_graph *graph, struct facet_user_object *object, unsigned count, unsigned flags)
{
    if (graph == NULL || object == NULL || !is_count(count) || (flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    bool moves = (flags & CU_GRAPH_USER_OBJECT_MOVE) != 0;
    if (moves && count > object->references)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = hold(graph, object, count);
    if (result == CUDA_SUCCESS && !moves)
        object->references += count;
    return result;
}

CUresult facet_cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)
{
    facet_graph_enter();
    return facet_graph_leave(retain(facet_graph_of(graph), facet_object(object, FACET_USER_OBJECT), count, flags));
}

static CUresult let_go(struct facet_graph *graph, struct facet_user_object *object, unsigned count)
{
    if (graph == NULL || object == NULL || !is_count(count))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_held **held = find(graph, object);
    if (*held == NULL || (*held)->count < count)
        return CUDA_ERROR_INVALID_VALUE;
    (*held)->count -= count;
    if ((*held)->count == 0) {
        struct facet_held *empty = *held;
        *held = empty->next;
        free(empty);
    }
    release(object, count);
    return CUDA_SUCCESS;
}

CUresult facet_cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
    facet_graph_enter();
    return facet_graph_leave(let_go(facet_graph_of(graph), facet_object(object, FACET_USER_OBJECT), count));
}
