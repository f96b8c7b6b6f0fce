/* Making, copying, destroying and walking through graphs. */
#include "graph.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_serial;

void facet_graph_enter(void)
{
    pthread_mutex_lock(&lock);
}

CUresult facet_graph_leave(CUresult result)
{
    pthread_mutex_unlock(&lock);
    facet_user_objects_end();
    return result;
}

struct facet_graph *facet_graph_new(void)
{
    struct facet_graph *graph = facet_object_create(FACET_GRAPH, NULL);
    if (graph != NULL)
        graph->serial = ++last_serial;
    return graph;
}

CUresult facet_node_new(struct facet_graph *graph, struct facet_work *work, struct facet_node **node)
{
    struct facet_node *made = facet_object_create(FACET_NODE, NULL);
    if (made == NULL) {
        facet_work_free(work);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->graph = graph;
    made->serial = ++last_serial;
    made->work = *work;
    made->previous = graph->last;
    if (graph->last != NULL)
        graph->last->next = made;
    else
        graph->first = made;
    graph->last = made;
    graph->count++;
    if (work->type == CU_GRAPH_NODE_TYPE_GRAPH)
        work->child->parent = graph;
    if (work->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        for (unsigned i = 0; i < work->conditional.size; i++)
            ((struct facet_graph *)work->conditional.bodies[i])->parent = graph;
    *node = made;
    return CUDA_SUCCESS;
}

static void forget_edges(struct facet_edges *edges)
{
    free(edges->all);
    *edges = (struct facet_edges){0};
}

void facet_node_free(struct facet_node *node)
{
    while (node->before.count > 0)
        facet_edge_remove(node->before.all[0].node, node, &node->before.all[0].data);
    while (node->after.count > 0)
        facet_edge_remove(node, node->after.all[0].node, &node->after.all[0].data);
    forget_edges(&node->before);
    forget_edges(&node->after);
    struct facet_graph *graph = node->graph;
    *(node->previous != NULL ? &node->previous->next : &graph->first) = node->next;
    *(node->next != NULL ? &node->next->previous : &graph->last) = node->previous;
    graph->count--;
    facet_work_free(&node->work);
    facet_object_destroy(node);
}

void facet_graph_free(struct facet_graph *graph)
{
    /* Edges go with their nodes: nobody looks at them any more. */
    for (struct facet_node *node = graph->first, *next; node != NULL; node = next) {
        next = node->next;
        forget_edges(&node->before);
        forget_edges(&node->after);
        facet_work_free(&node->work);
        facet_object_destroy(node);
    }
    for (struct facet_condition *each = graph->conditions, *next; each != NULL; each = next) {
        next = each->next;
        facet_condition_drop(each);
    }
    facet_held_free(graph);
    facet_object_destroy(graph);
}

static CUresult copy_node(const struct facet_node *node, struct facet_graph *into)
{
    struct facet_work work;
    CUresult result = facet_work_copy(&node->work, &work);
    struct facet_node *made = NULL;
    if (result == CUDA_SUCCESS)
        result = facet_node_new(into, &work, &made);
    if (result != CUDA_SUCCESS)
        return result;
    made->origin = node->serial;
    made->disabled = node->disabled;
    return CUDA_SUCCESS;
}

CUresult facet_graph_copy(const struct facet_graph *graph, struct facet_graph **copy)
{
    struct facet_graph *made = facet_graph_new();
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->origin = graph->serial;
    made->body = graph->body;
    CUresult result = facet_held_copy(graph, made);
    struct facet_node **copies = calloc(graph->count + 1, sizeof(*copies));
    if (copies == NULL)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    uint32_t number = 0;
    for (struct facet_node *node = graph->first; result == CUDA_SUCCESS && node != NULL; node = node->next) {
        node->mark = number;
        result = copy_node(node, made);
        copies[number++] = made->last;
    }
    for (struct facet_node *node = graph->first; result == CUDA_SUCCESS && node != NULL; node = node->next)
        for (uint32_t i = 0; result == CUDA_SUCCESS && i < node->before.count; i++)
            result = facet_edge_add(copies[node->before.all[i].node->mark], copies[node->mark], &node->before.all[i].data);
    free(copies);
    if (result != CUDA_SUCCESS)
        facet_graph_free(made);
    else
        *copy = made;
    return result;
}

/* Calls visit for each graph that is nested in a node directly; stops at the first true. */
static bool each_nested(const struct facet_node *node, bool (*visit)(const struct facet_graph *graph, void *data), void *data)
{
    if (node->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
        return visit(node->work.child, data);
    if (node->work.type != CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return false;
    for (unsigned i = 0; i < node->work.conditional.size; i++)
        if (visit((struct facet_graph *)node->work.conditional.bodies[i], data))
            return true;
    return false;
}

static bool add_size(const struct facet_graph *graph, void *data)
{
    *(uint32_t *)data += facet_graph_size(graph);
    return false;
}

uint32_t facet_graph_size(const struct facet_graph *graph)
{
    uint32_t size = graph->count;
    for (const struct facet_node *node = graph->first; node != NULL; node = node->next)
        each_nested(node, add_size, &size);
    return size;
}

static bool deepest(const struct facet_graph *graph, void *data)
{
    uint32_t depth = facet_graph_depth(graph), *most = data;
    *most = depth > *most ? depth : *most;
    return false;
}

uint32_t facet_graph_depth(const struct facet_graph *graph)
{
    uint32_t most = 0;
    for (const struct facet_node *node = graph->first; node != NULL; node = node->next)
        each_nested(node, deepest, &most);
    return most + 1;
}

static bool has(const struct facet_graph *graph, void *data)
{
    return facet_graph_has(graph, *(CUgraphNodeType *)data);
}

bool facet_graph_has(const struct facet_graph *graph, CUgraphNodeType type)
{
    for (const struct facet_node *node = graph->first; node != NULL; node = node->next)
        if (node->work.type == type || each_nested(node, has, &type))
            return true;
    return false;
}

struct search {
    uint64_t origin;
    struct facet_node *found;
};

static bool find_in(const struct facet_graph *graph, void *data)
{
    struct search *search = data;
    for (struct facet_node *node = graph->first; node != NULL; node = node->next) {
        if (node->origin == search->origin) {
            search->found = node;
            return true;
        }
        if (each_nested(node, find_in, search))
            return true;
    }
    return false;
}

struct facet_node *facet_graph_find(const struct facet_graph *graph, uint64_t origin)
{
    struct search search = {.origin = origin};
    find_in(graph, &search);
    return search.found;
}
