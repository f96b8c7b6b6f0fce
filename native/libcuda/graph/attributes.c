/* Attributes of kernel nodes: kept; what changes a launch is looked at when it is made executable. */
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "exec.h"
#include "graph.h"

CUresult facet_attribute_set(struct facet_node_kernel *kernel, unsigned id, const CUlaunchAttributeValue *value)
{
    if (id >= FACET_NODE_ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE && value->deviceUpdatableKernelNode.deviceUpdatable != 0)
        return facet_unsupported("graph nodes updated by the device");
    if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        struct facet_launch launch = {.cluster = {0, 0, 0}};
        facet_launch_cluster(value, launch.cluster);
        unsigned cluster[3];
        CUresult result = CUDA_ERROR_INVALID_VALUE;
        if (facet_object(kernel->function, FACET_FUNCTION) == NULL)
            result = CUDA_ERROR_INVALID_HANDLE; /* unloaded meanwhile */
        else if (launch.cluster[0] != 0)
            result = facet_cluster_of(&launch, kernel->function, cluster);
        if (result == CUDA_SUCCESS)
            result = facet_cluster_check(kernel->function, cluster);
        for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++)
            result = kernel->grid[i] % cluster[i] == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        if (result != CUDA_SUCCESS)
            return result;
    }
    if (kernel->attributes == NULL)
        kernel->attributes = calloc(FACET_NODE_ATTRIBUTES, sizeof *kernel->attributes);
    if (kernel->attributes == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    kernel->attributes[id] = *value;
    kernel->attributes_set |= 1u << id;
    return CUDA_SUCCESS;
}

bool facet_kernel_cooperative(const struct facet_node_kernel *kernel)
{
    return (kernel->attributes_set & 1u << CU_LAUNCH_ATTRIBUTE_COOPERATIVE) != 0 &&
           kernel->attributes[CU_LAUNCH_ATTRIBUTE_COOPERATIVE].cooperative != 0;
}

const unsigned *facet_kernel_cluster(const struct facet_node_kernel *kernel, unsigned cluster[3])
{
    if ((kernel->attributes_set & 1u << CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) == 0)
        return kernel->function->cluster[0] != 0 ? kernel->function->cluster : NULL;
    facet_launch_cluster(&kernel->attributes[CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION], cluster);
    return cluster;
}

static struct facet_node_kernel *kernel_of(CUgraphNode handle)
{
    struct facet_node *node = facet_node_of(handle);
    return node != NULL && node->work.type == CU_GRAPH_NODE_TYPE_KERNEL ? &node->work.kernel : NULL;
}

CUresult facet_cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value)
{
    facet_graph_enter();
    struct facet_node_kernel *kernel = kernel_of(handle);
    return facet_graph_leave(kernel == NULL || value == NULL ? CUDA_ERROR_INVALID_VALUE : facet_attribute_set(kernel, (unsigned)id, value));
}

CUresult facet_cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUkernelNodeAttrID id, CUkernelNodeAttrValue *value)
{
    facet_graph_enter();
    const struct facet_node_kernel *kernel = kernel_of(handle);
    bool good = kernel != NULL && (unsigned)id < FACET_NODE_ATTRIBUTES;
    if (good && (kernel->attributes_set & 1u << (unsigned)id) != 0)
        *value = kernel->attributes[(unsigned)id];
    else if (good)
        memset(value, 0, sizeof *value);
    return facet_graph_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

static CUresult copy(struct facet_node_kernel *to, const struct facet_node_kernel *from)
{
    if (to == NULL || from == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    for (unsigned id = 0; result == CUDA_SUCCESS && id < FACET_NODE_ATTRIBUTES; id++)
        if ((from->attributes_set & 1u << id) != 0)
            result = facet_attribute_set(to, id, &from->attributes[id]);
    return result;
}

CUresult facet_cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    facet_graph_enter();
    return facet_graph_leave(copy(kernel_of(to), kernel_of(from)));
}
