/* cuGraphDebugDotPrint: a picture of a graph, for Graphviz. */
#include <errno.h>
#include <stdio.h>

#include "graph.h"

static const char *const names[] = {[CU_GRAPH_NODE_TYPE_KERNEL] = "KERNEL",
                                    [CU_GRAPH_NODE_TYPE_MEMCPY] = "MEMCPY",
                                    [CU_GRAPH_NODE_TYPE_MEMSET] = "MEMSET",
                                    [CU_GRAPH_NODE_TYPE_HOST] = "HOST",
                                    [CU_GRAPH_NODE_TYPE_GRAPH] = "GRAPH",
                                    [CU_GRAPH_NODE_TYPE_EMPTY] = "EMPTY",
                                    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = "EVENT_WAIT",
                                    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = "EVENT_RECORD",
                                    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = "MEM_ALLOC",
                                    [CU_GRAPH_NODE_TYPE_MEM_FREE] = "MEM_FREE",
                                    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = "CONDITIONAL"};

static void print_label(FILE *file, const struct facet_node *node, unsigned flags)
{
    bool all = (flags & CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE) != 0;
    fprintf(file, "%s", names[node->work.type]);
    const struct facet_work *work = &node->work;
    switch (work->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
        const struct facet_function *function = work->kernel.function;
        if (facet_object(function, FACET_FUNCTION) != NULL)
            fprintf(file, "\\n%s", function->module->names + function->record->name);
        if (all || (flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS) != 0)
            fprintf(file, "\\n<<<(%u,%u,%u),(%u,%u,%u),%u>>>", work->kernel.grid[0], work->kernel.grid[1], work->kernel.grid[2],
                    work->kernel.block[0], work->kernel.block[1], work->kernel.block[2], work->kernel.shared);
        break;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        if (all)
            fprintf(file, "\\n0x%llx <- 0x%llx\\n%llu x %llu x %llu bytes", (unsigned long long)work->copy.box.destination,
                    (unsigned long long)work->copy.box.source, (unsigned long long)work->copy.box.width, (unsigned long long)work->copy.box.height,
                    (unsigned long long)work->copy.box.depth);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        if (all)
            fprintf(file, "\\n0x%llx = %u\\n%zu x %zu of %u bytes", work->fill.asked.dst, work->fill.asked.value, work->fill.asked.width,
                    work->fill.asked.height, work->fill.asked.elementSize);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        if (all)
            fprintf(file, "\\n0x%llx, %llu bytes", (unsigned long long)work->memory->address, (unsigned long long)work->memory->bytes);
        break;
    default:
        break;
    }
    if (all || (flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES) != 0)
        fprintf(file, "\\n%p", (const void *)node);
}

static void print(FILE *file, const struct facet_graph *graph, unsigned flags)
{
    fprintf(file, "subgraph cluster_%llu {\nlabel=\"graph_%llu\"\n", (unsigned long long)graph->serial, (unsigned long long)graph->serial);
    for (const struct facet_node *node = graph->first; node != NULL; node = node->next) {
        fprintf(file, "node_%llu [shape=\"record\" label=\"", (unsigned long long)node->serial);
        print_label(file, node, flags);
        fprintf(file, "\"];\n");
        if (node->work.type == CU_GRAPH_NODE_TYPE_GRAPH)
            print(file, node->work.child, flags);
        if (node->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            for (unsigned i = 0; i < node->work.conditional.size; i++)
                print(file, (const struct facet_graph *)node->work.conditional.bodies[i], flags);
        for (uint32_t i = 0; i < node->after.count; i++)
            fprintf(file, "node_%llu -> node_%llu;\n", (unsigned long long)node->serial, (unsigned long long)node->after.all[i].node->serial);
    }
    fprintf(file, "}\n");
}

CUresult facet_cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned int flags)
{
    if (path == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    facet_graph_enter();
    const struct facet_graph *graph = facet_graph_of(handle);
    FILE *file = graph == NULL ? NULL : fopen(path, "we");
    bool written = file != NULL;
    if (file != NULL) {
        fprintf(file, "digraph dot {\n");
        print(file, graph, flags);
        fprintf(file, "}\n");
        written = ferror(file) == 0;
        written = fclose(file) == 0 && written;
    }
    return facet_graph_leave(graph == NULL ? CUDA_ERROR_INVALID_VALUE : written ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM);
}
