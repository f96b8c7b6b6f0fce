/* Attributes of kernel nodes: kept; what changes a launch is looked at when it is made executable. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

CUresult facet_attribute_set(struct facet_node_kernel *kernel, unsigned id, const CUlaunchAttributeValue *value)
{
    if (id >= FACET_NODE_ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE && value->deviceUpdatableKernelNode.deviceUpdatable != 0)
        return facet_unsupported("graph nodes updated by the device");
    if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && (value->clusterDim.x != 1 || value->clusterDim.y != 1 || value->clusterDim.z != 1))
        return facet_unsupported("clusters of blocks");
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
