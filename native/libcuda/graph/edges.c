/* Edges between the nodes of a graph. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static const CUgraphEdgeData plain;

static bool known(const CUgraphEdgeData *data)
{
    for (size_t i = 0; i < sizeof data->reserved; i++)
        if (data->reserved[i] != 0)
            return false;
    /* Ports of kernels that end early here end when the kernel does: that is later, and right. */
    return data->from_port <= 2 && data->to_port == 0 && data->type <= 1;
}

CUresult facet_edges_check(const struct facet_graph *graph, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count)
{
    if (count > 0 && nodes == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        const struct facet_node *node = facet_node_of(nodes[i]);
        if (node == NULL || node->graph != graph || (data != NULL && !known(&data[i])))
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult facet_edges_put(struct facet_edges *edges, struct facet_node *node, const CUgraphEdgeData *data)
{
    if (edges->count == edges->capacity) {
        uint32_t more = edges->capacity == 0 ? 4 : edges->capacity * 2;
        struct facet_edge *all = realloc(edges->all, more * sizeof *all);
        if (all == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        edges->all = all;
        edges->capacity = more;
    }
    edges->all[edges->count++] = (struct facet_edge){.node = node, .data = data == NULL ? plain : *data};
    return CUDA_SUCCESS;
}

static bool take_out(struct facet_edges *edges, const struct facet_node *node, const CUgraphEdgeData *data)
{
    for (uint32_t i = 0; i < edges->count; i++)
        if (edges->all[i].node == node && memcmp(&edges->all[i].data, data, sizeof *data) == 0) {
            memmove(&edges->all[i], &edges->all[i + 1], (edges->count - i - 1) * sizeof *edges->all);
            edges->count--;
            return true;
        }
    return false;
}

static bool is_there(const struct facet_edges *edges, const struct facet_node *node, const CUgraphEdgeData *data)
{
    for (uint32_t i = 0; i < edges->count; i++)
        if (edges->all[i].node == node && memcmp(&edges->all[i].data, data, sizeof *data) == 0)
            return true;
    return false;
}

CUresult facet_edge_add(struct facet_node *from, struct facet_node *to, const CUgraphEdgeData *data)
{
    data = data == NULL ? &plain : data;
    if (from == to || is_there(&to->before, from, data))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = facet_edges_put(&from->after, to, data);
    if (result == CUDA_SUCCESS && (result = facet_edges_put(&to->before, from, data)) != CUDA_SUCCESS)
        from->after.count--;
    return result;
}

bool facet_edge_remove(struct facet_node *from, struct facet_node *to, const CUgraphEdgeData *data)
{
    CUgraphEdgeData kept = data == NULL ? plain : *data; /* it may lie in the list that changes */
    return take_out(&to->before, from, &kept) && take_out(&from->after, to, &kept);
}

bool facet_graph_order(const struct facet_graph *graph, struct facet_node ***order)
{
    struct facet_node **nodes = calloc(graph->count + 1, sizeof *nodes);
    if (nodes == NULL)
        return false;
    uint32_t given = 0;
    for (struct facet_node *node = graph->first; node != NULL; node = node->next) {
        node->mark = node->before.count;
        if (node->mark == 0)
            nodes[given++] = node;
    }
    for (uint32_t next = 0; next < given; next++)
        for (uint32_t i = 0; i < nodes[next]->after.count; i++)
            if (--nodes[next]->after.all[i].node->mark == 0)
                nodes[given++] = nodes[next]->after.all[i].node;
    *order = nodes;
    if (given == graph->count)
        return true;
    free(nodes);
    return false;
}
