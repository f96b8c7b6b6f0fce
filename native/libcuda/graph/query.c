/* What a program may ask of a graph: its nodes and edges; and changing edges. */
#include <string.h>

#include "graph.h"

/* Lists that a call fills in: as many as there is room for, the rest is NULL, and how many there are. */
struct list {
    CUgraphNode *from, *to;
    CUgraphEdgeData *data;
    size_t room, count;
};

static void put(struct list *list, struct facet_node *from, struct facet_node *to, const CUgraphEdgeData *data)
{
    if (list->count < list->room) {
        if (list->from != NULL)
            list->from[list->count] = (CUgraphNode)from;
        if (list->to != NULL)
            list->to[list->count] = (CUgraphNode)to;
        if (list->data != NULL && data != NULL)
            list->data[list->count] = *data;
    }
    list->count++;
}

static void finish(struct list *list, size_t *count)
{
    bool asked = list->from != NULL || list->to != NULL;
    for (size_t i = list->count; i < list->room; i++)
        put(&(struct list){.from = list->from == NULL ? NULL : list->from + i, .to = list->to == NULL ? NULL : list->to + i, .room = 1}, NULL, NULL,
            NULL);
    *count = asked && list->room < list->count ? list->room : list->count;
}

/* Data that says more than 'behind it' has no place in a list without data. */
static bool is_plain(const CUgraphEdgeData *data)
{
    return data->from_port == 0 && data->to_port == 0 && data->type == 0;
}

CUresult facet_cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    facet_graph_enter();
    struct facet_graph *graph = facet_graph_of(handle);
    struct list list = {.from = nodes, .room = nodes == NULL ? 0 : *count};
    if (graph != NULL) {
        for (struct facet_node *node = graph->first; node != NULL; node = node->next)
            put(&list, node, NULL, NULL);
        finish(&list, count);
    }
    return facet_graph_leave(graph == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult facet_cuGraphGetRootNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    facet_graph_enter();
    struct facet_graph *graph = facet_graph_of(handle);
    struct list list = {.from = nodes, .room = nodes == NULL ? 0 : *count};
    if (graph != NULL) {
        for (struct facet_node *node = graph->first; node != NULL; node = node->next)
            if (node->before.count == 0)
                put(&list, node, NULL, NULL);
        finish(&list, count);
    }
    return facet_graph_leave(graph == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

static CUresult edges(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, bool with_data, size_t *count)
{
    struct facet_graph *graph = facet_graph_of(handle);
    if (graph == NULL || (from == NULL) != (to == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    bool plain = true;
    struct list list = {.from = from, .to = to, .data = data, .room = from == NULL ? 0 : *count};
    for (struct facet_node *node = graph->first; node != NULL; node = node->next)
        for (uint32_t i = 0; i < node->before.count; i++) {
            plain = plain && is_plain(&node->before.all[i].data);
            put(&list, node->before.all[i].node, node, &node->before.all[i].data);
        }
    if (!plain && !(with_data && (data != NULL || from == NULL)))
        return CUDA_ERROR_LOSSY_QUERY;
    finish(&list, count);
    return CUDA_SUCCESS;
}

CUresult facet_cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(edges(graph, from, to, data, true, count));
}

CUresult facet_cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(edges(graph, from, to, NULL, false, count));
}

static CUresult neighbours(CUgraphNode handle, bool before, CUgraphNode *nodes, CUgraphEdgeData *data, bool with_data, size_t *count)
{
    struct facet_node *node = facet_node_of(handle);
    if (node == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    const struct facet_edges *edges = before ? &node->before : &node->after;
    bool plain = true;
    struct list list = {.from = nodes, .data = data, .room = nodes == NULL ? 0 : *count};
    for (uint32_t i = 0; i < edges->count; i++) {
        plain = plain && is_plain(&edges->all[i].data);
        put(&list, edges->all[i].node, NULL, &edges->all[i].data);
    }
    if (!plain && !(with_data && (data != NULL || nodes == NULL)))
        return CUDA_ERROR_LOSSY_QUERY;
    finish(&list, count);
    return CUDA_SUCCESS;
}

CUresult facet_cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(neighbours(node, true, nodes, data, true, count));
}

CUresult facet_cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(neighbours(node, true, nodes, NULL, false, count));
}

CUresult facet_cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(neighbours(node, false, nodes, data, true, count));
}

CUresult facet_cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    facet_graph_enter();
    return facet_graph_leave(neighbours(node, false, nodes, NULL, false, count));
}

static CUresult change(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count, bool adds)
{
    struct facet_graph *graph = facet_graph_of(handle);
    CUresult result = graph == NULL ? CUDA_ERROR_INVALID_VALUE : facet_edges_check(graph, from, data, count);
    if (result == CUDA_SUCCESS)
        result = facet_edges_check(graph, to, NULL, count);
    size_t done = 0;
    for (; result == CUDA_SUCCESS && done < count; done++) {
        struct facet_node *first = facet_node_of(from[done]), *second = facet_node_of(to[done]);
        const CUgraphEdgeData *each = data == NULL ? NULL : &data[done];
        if (adds)
            result = facet_edge_add(first, second, each);
        else
            result = facet_edge_remove(first, second, each) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    /* All or none. */
    for (size_t i = 0; result != CUDA_SUCCESS && adds && done > 0 && i < done - 1; i++)
        facet_edge_remove(facet_node_of(from[i]), facet_node_of(to[i]), data == NULL ? NULL : &data[i]);
    return result;
}

CUresult facet_cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    facet_graph_enter();
    return facet_graph_leave(change(graph, from, to, data, count, true));
}

CUresult facet_cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return facet_cuGraphAddDependencies_v2(graph, from, to, NULL, count);
}

CUresult facet_cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    facet_graph_enter();
    return facet_graph_leave(change(graph, from, to, data, count, false));
}

CUresult facet_cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return facet_cuGraphRemoveDependencies_v2(graph, from, to, NULL, count);
}

CUresult facet_cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
    facet_graph_enter();
    struct facet_node *node = facet_node_of(handle);
    if (node != NULL)
        *type = node->work.type;
    return facet_graph_leave(node == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUresult facet_cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone)
{
    facet_graph_enter();
    struct facet_node *node = facet_node_of(original);
    struct facet_graph *graph = facet_graph_of(clone);
    struct facet_node *copy = node == NULL || graph == NULL || graph->origin == 0 ? NULL : facet_graph_find(graph, node->serial);
    if (copy != NULL)
        *found = (CUgraphNode)copy;
    return facet_graph_leave(copy == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}
