/* From the runtime's parameters of nodes to the driver's. */
#ifndef FACET_CUDART_GRAPH_H
#define FACET_CUDART_GRAPH_H

#include "runtime.h"

cudaError_t facet_kernel_params(const struct cudaKernelNodeParams *given, CUgraphNodeParams *params);
/* Back: the function is the address that the program knows it by. */
void facet_kernel_params_back(const CUDA_KERNEL_NODE_PARAMS_v2 *given, struct cudaKernelNodeParams *params);
cudaError_t facet_copy_params(const struct cudaMemcpy3DParms *given, CUgraphNodeParams *params);
/* Of any type. */
cudaError_t facet_node_params(const struct cudaGraphNodeParams *given, CUgraphNodeParams *params);

#endif
