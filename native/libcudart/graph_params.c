#include <string.h>

#include "array.h"
#include "graph.h"

cudaError_t facet_kernel_params(const struct cudaKernelNodeParams *given, CUgraphNodeParams *params)
{
    memset(params, 0, sizeof *params);
    params->type = CU_GRAPH_NODE_TYPE_KERNEL;
    if (given == NULL)
        return cudaErrorInvalidValue;
    CUfunction function;
    cudaError_t error = facet_bind_kernel(given->func, &function);
    if (error != cudaSuccess)
        return error;
    params->kernel = (CUDA_KERNEL_NODE_PARAMS_v3){
        .func = function,
        .gridDimX = given->gridDim.x,
        .gridDimY = given->gridDim.y,
        .gridDimZ = given->gridDim.z,
        .blockDimX = given->blockDim.x,
        .blockDimY = given->blockDim.y,
        .blockDimZ = given->blockDim.z,
        .sharedMemBytes = given->sharedMemBytes,
        .kernelParams = given->kernelParams,
        .extra = given->extra,
    };
    return cudaSuccess;
}

void facet_kernel_params_back(const CUDA_KERNEL_NODE_PARAMS_v2 *given, struct cudaKernelNodeParams *params)
{
    *params = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)facet_registry_key(given->func),
        .gridDim = {given->gridDimX, given->gridDimY, given->gridDimZ},
        .blockDim = {given->blockDimX, given->blockDimY, given->blockDimZ},
        .sharedMemBytes = given->sharedMemBytes,
        .kernelParams = given->kernelParams,
        .extra = given->extra,
    };
}

cudaError_t facet_copy_params(const struct cudaMemcpy3DParms *given, CUgraphNodeParams *params)
{
    memset(params, 0, sizeof *params);
    params->type = CU_GRAPH_NODE_TYPE_MEMCPY;
    return facet_box_of(given, &params->memcpy.copyParams);
}

cudaError_t facet_node_params(const struct cudaGraphNodeParams *given, CUgraphNodeParams *params)
{
    if (given == NULL || given->reserved0[0] != 0 || given->reserved0[1] != 0 || given->reserved0[2] != 0 || given->reserved2 != 0)
        return cudaErrorInvalidValue;
    switch (given->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return facet_kernel_params(&given->kernel, params);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return given->memcpy.flags != 0 ? cudaErrorInvalidValue : facet_copy_params(&given->memcpy.copyParams, params);
    default:
        break;
    }
    memset(params, 0, sizeof *params);
    params->type = given->type;
    switch (given->type) {
    case CU_GRAPH_NODE_TYPE_MEMSET:
        memcpy(&params->memset, &given->memset, sizeof given->memset);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        params->conditional =
            (CUDA_CONDITIONAL_NODE_PARAMS){.handle = given->conditional.handle, .type = given->conditional.type, .size = given->conditional.size};
        break;
    default:
        memcpy(params->reserved1, given->reserved1, sizeof given->reserved1);
        break;
    }
    return cudaSuccess;
}
