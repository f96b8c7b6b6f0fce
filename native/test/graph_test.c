/* Graphs without a device: nodes, edges, copies, orders, and which steps and lanes come of them. */
#include <stdlib.h>
#include <string.h>

#include "../libcuda/graph/exec.h"
#include "check.h"

static struct facet_node *put(struct facet_graph *graph)
{
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    struct facet_node *node = NULL;
    CHECK_EQUAL(CUDA_SUCCESS, facet_node_new(graph, &work, &node));
    return node;
}

static void edge(struct facet_node *from, struct facet_node *to)
{
    CHECK_EQUAL(CUDA_SUCCESS, facet_edge_add(from, to, NULL));
}

static void edges(void)
{
    struct facet_graph *graph = facet_graph_new();
    struct facet_node *a = put(graph), *b = put(graph), *c = put(graph);
    edge(a, b);
    edge(b, c);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_edge_add(a, b, NULL)); /* twice */
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_edge_add(a, a, NULL));
    CUgraphEdgeData other = {.from_port = 1, .type = 1};
    CHECK_EQUAL(CUDA_SUCCESS, facet_edge_add(a, b, &other)); /* another kind of edge */
    CHECK_EQUAL(2, a->after.count);
    CHECK(facet_edge_remove(a, b, &other));
    CHECK(!facet_edge_remove(a, b, &other));
    CUgraphNode handles[] = {(CUgraphNode)a, (CUgraphNode)b, (CUgraphNode)graph};
    CHECK_EQUAL(CUDA_SUCCESS, facet_edges_check(graph, handles, NULL, 2));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_edges_check(graph, handles, NULL, 3));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_edges_check(graph, NULL, NULL, 1));
    CUgraphEdgeData wrong = {.reserved = {1}};
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_edges_check(graph, handles, &wrong, 1));
    facet_node_free(b);
    CHECK_EQUAL(0, a->after.count);
    CHECK_EQUAL(0, c->before.count);
    CHECK(facet_node_of((CUgraphNode)b) == NULL);
    CHECK_EQUAL(2, graph->count);
    facet_graph_free(graph);
    CHECK(facet_node_of((CUgraphNode)a) == NULL);
    CHECK(facet_graph_of((CUgraph)graph) == NULL);
}

static void orders(void)
{
    struct facet_graph *graph = facet_graph_new();
    struct facet_node *last = put(graph), *middle = put(graph), *first = put(graph), **order;
    edge(first, middle);
    edge(middle, last);
    edge(first, last);
    CHECK(facet_graph_order(graph, &order));
    CHECK(order[0] == first && order[1] == middle && order[2] == last);
    free(order);
    edge(last, first);
    CHECK(!facet_graph_order(graph, &order)); /* a cycle */
    facet_graph_free(graph);
}

static void copies(void)
{
    struct facet_graph *child = facet_graph_new(), *graph = facet_graph_new(), *copy;
    struct facet_node *inside = put(child);
    edge(inside, put(child));
    struct facet_work work = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    CHECK_EQUAL(CUDA_SUCCESS, facet_graph_copy(child, &work.child));
    struct facet_node *before = put(graph), *node;
    CHECK_EQUAL(CUDA_SUCCESS, facet_node_new(graph, &work, &node));
    edge(before, node);
    CHECK_EQUAL(4, facet_graph_size(graph));
    CHECK_EQUAL(2, facet_graph_depth(graph));
    CHECK_EQUAL(CUDA_SUCCESS, facet_graph_copy(graph, &copy));
    CHECK_EQUAL(4, facet_graph_size(copy));
    CHECK(facet_graph_find(copy, node->serial) == copy->last);
    /* The copy's child is a copy of the node's, not of the program's. */
    CHECK(facet_graph_find(copy, node->work.child->first->serial) == copy->last->work.child->first);
    CHECK(facet_graph_find(copy, inside->serial) == NULL);
    CHECK(facet_graph_has(copy, CU_GRAPH_NODE_TYPE_GRAPH) && !facet_graph_has(copy, CU_GRAPH_NODE_TYPE_HOST));
    facet_graph_free(child);
    facet_graph_free(graph);
    CHECK_EQUAL(1, copy->last->before.count);
    facet_graph_free(copy);
}

static void plan(struct facet_graph *graph, struct facet_exec *exec)
{
    CUgraphNode wrong = NULL;
    *exec = (struct facet_exec){.graph = graph};
    CHECK_EQUAL(CUDA_SUCCESS, facet_exec_plan(exec, &wrong));
}

/* A chain has one lane and waits for nothing; a fork gets another one, and whoever joins waits for it. */
static void lanes(void)
{
    struct facet_exec exec;
    struct facet_graph *chain = facet_graph_new();
    struct facet_node *last = put(chain);
    for (int i = 1; i < 100; i++) {
        struct facet_node *next = put(chain);
        edge(last, next);
        last = next;
    }
    plan(chain, &exec);
    CHECK_EQUAL(100, exec.count);
    for (uint32_t i = 0; i < exec.count; i++) {
        CHECK_EQUAL(i, exec.steps[i].index);
        CHECK_EQUAL(0, exec.steps[i].lane);
        CHECK_EQUAL(0, exec.steps[i].waits);
    }
    free(exec.steps);
    facet_graph_free(chain);

    struct facet_graph *diamond = facet_graph_new();
    struct facet_node *top = put(diamond), *left = put(diamond), *right = put(diamond), *bottom = put(diamond);
    edge(top, left);
    edge(top, right);
    edge(left, bottom);
    edge(right, bottom);
    plan(diamond, &exec);
    const struct facet_step *one = &exec.steps[left->steps], *two = &exec.steps[right->steps], *end = &exec.steps[bottom->steps];
    CHECK(one->lane != two->lane);
    CHECK_EQUAL(1u << exec.steps[top->steps].lane, one->waits | two->waits);
    CHECK(end->lane == one->lane || end->lane == two->lane);
    CHECK_EQUAL(1u << (end->lane == one->lane ? two->lane : one->lane), end->waits);
    free(exec.steps);
    facet_graph_free(diamond);
}

/* Random graphs: every step comes behind what its node depends on, in its lane or by a wait for another one. */
static void random_graphs(void)
{
    uint64_t seed = 20261117;
    for (int round = 0; round < 200; round++) {
        struct facet_graph *graph = facet_graph_new();
        struct facet_node *all[40];
        for (int i = 0; i < 40; i++) {
            all[i] = put(graph);
            for (int j = 0; j < i; j++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                if (seed >> 60 == 0)
                    edge(all[j], all[i]);
            }
        }
        struct facet_exec exec;
        plan(graph, &exec);
        for (int i = 0; i < 40; i++) {
            const struct facet_step *step = &exec.steps[all[i]->steps];
            CHECK(step->lane < FACET_GRAPH_LANES && step->waits >> FACET_GRAPH_LANES == 0);
            for (uint32_t j = 0; j < all[i]->before.count; j++) {
                const struct facet_step *earlier = &exec.steps[all[i]->before.all[j].node->steps];
                CHECK(earlier < step);
                CHECK(earlier->lane == step->lane || (step->waits >> earlier->lane & 1) != 0);
            }
        }
        free(exec.steps);
        facet_graph_free(graph);
    }
}

static int destroyed;

static void destroy(void *data)
{
    destroyed += *(int *)data;
}

static void user_objects(void)
{
    int one = 1;
    CUuserObject object;
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_cuUserObjectCreate(&object, &one, destroy, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    CHECK_EQUAL(CUDA_SUCCESS, facet_cuUserObjectCreate(&object, &one, destroy, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    facet_graph_enter();
    struct facet_graph *graph = facet_graph_new(), *copy;
    facet_graph_leave(CUDA_SUCCESS);
    CHECK_EQUAL(CUDA_SUCCESS, facet_cuGraphRetainUserObject((CUgraph)graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    CHECK_EQUAL(CUDA_SUCCESS, facet_cuUserObjectRelease(object, 1));
    facet_graph_enter();
    CHECK_EQUAL(CUDA_SUCCESS, facet_graph_copy(graph, &copy));
    facet_graph_free(graph);
    facet_graph_leave(CUDA_SUCCESS);
    CHECK_EQUAL(0, destroyed);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_cuGraphReleaseUserObject((CUgraph)copy, object, 2));
    CHECK_EQUAL(CUDA_SUCCESS, facet_cuGraphReleaseUserObject((CUgraph)copy, object, 1));
    CHECK_EQUAL(1, destroyed);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_cuUserObjectRetain(object, 1));
    facet_graph_enter();
    facet_graph_free(copy);
    facet_graph_leave(CUDA_SUCCESS);
}

int main(void)
{
    edges();
    orders();
    copies();
    lanes();
    random_graphs();
    user_objects();
    return CHECK_RESULT();
}
