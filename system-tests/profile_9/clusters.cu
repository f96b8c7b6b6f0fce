// Clusters of blocks: launches that name one, kernels that have one, graphs of them, and what may be asked about them.
// forms: shared static
#include "../programs/check.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

// Each block leaves its number in the shared memory of the next one of its cluster.
__device__ void pass_on(int *out)
{
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        *cluster.map_shared_rank(&value, (cluster.block_rank() + 1) % cluster.num_blocks()) = blockIdx.x;
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = value;
    }
    cluster.sync();
}

__global__ void free_size(int *out)
{
    pass_on(out);
}

__global__ void __cluster_dims__(2, 1, 1) pairs(int *out)
{
    pass_on(out);
}

static void require_passed(const int *data, int blocks, int cluster, const char *what)
{
    std::vector<int> host(blocks);
    CHECK(cudaMemcpy(host.data(), data, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; i++) {
        int expected = i / cluster * cluster + (i + cluster - 1) % cluster;
        REQUIRE(host[i] == expected, "%s: block %d has %d, expected %d", what, i, host[i], expected);
    }
    CHECK(cudaMemset(const_cast<int *>(data), 0xff, blocks * sizeof(int)));
}

struct Launch {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[2] = {};

    Launch(int blocks, dim3 cluster, cudaStream_t stream = nullptr)
    {
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(64);
        config.stream = stream;
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim.x = cluster.x;
        attributes[0].val.clusterDim.y = cluster.y;
        attributes[0].val.clusterDim.z = cluster.z;
        attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
        attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
        config.attrs = attributes;
        config.numAttrs = 2;
    }
};

static void launches(int *data)
{
    for (int cluster : {1, 2, 3, 8}) {
        Launch launch(24, dim3(cluster));
        CHECK(cudaLaunchKernelEx(&launch.config, free_size, data));
        require_passed(data, 24, cluster, "a launch that names its cluster");
    }
    pairs<<<24, 64>>>(data);
    LAUNCHED();
    require_passed(data, 24, 2, "a kernel that has its cluster");
    free_size<<<24, 64>>>(data);
    LAUNCHED();
    require_passed(data, 24, 1, "nobody names one");
    Launch same(24, dim3(2));
    CHECK(cudaLaunchKernelEx(&same.config, pairs, data));
    require_passed(data, 24, 2, "both name the same");
}

static void refusals(int *data)
{
    Launch uneven(9, dim3(2));
    EXPECT(cudaLaunchKernelEx(&uneven.config, free_size, data), cudaErrorInvalidValue);
    pairs<<<9, 64>>>(data);
    REQUIRE(cudaGetLastError() != cudaSuccess, "half a cluster was launched");
    Launch other(8, dim3(4));
    EXPECT(cudaLaunchKernelEx(&other.config, pairs, data), cudaErrorInvalidClusterSize);
    for (dim3 cluster : {dim3(9), dim3(16), dim3(4, 4), dim3(1u << 31, 2), dim3(0xffffffffu, 0xffffffffu, 0xffffffffu)}) {
        Launch large(144, cluster);
        EXPECT(cudaLaunchKernelEx(&large.config, free_size, data), cudaErrorInvalidClusterSize);
    }
    Launch none(8, dim3(0));
    EXPECT(cudaLaunchKernelEx(&none.config, free_size, data), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaFuncSetAttribute(free_size, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    Launch large(32, dim3(16));
    CHECK(cudaLaunchKernelEx(&large.config, free_size, data));
    require_passed(data, 32, 16, "sixteen blocks");
    Launch larger(34, dim3(17));
    EXPECT(cudaLaunchKernelEx(&larger.config, free_size, data), cudaErrorInvalidClusterSize);
    cudaGetLastError();
    CHECK(cudaDeviceSynchronize());
}

static void questions()
{
    int has = 0, count = 0, size = 0;
    CHECK(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
    REQUIRE(has == 1, "the device has no clusters");
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, pairs));
    REQUIRE(a.requiredClusterWidth == 2 && a.requiredClusterHeight == 1 && a.requiredClusterDepth == 1, "pairs: %d %d %d", a.requiredClusterWidth,
            a.requiredClusterHeight, a.requiredClusterDepth);
    CHECK(cudaFuncGetAttributes(&a, free_size));
    REQUIRE(a.requiredClusterWidth == 0 && a.nonPortableClusterSizeAllowed == 1, "free: %d", a.requiredClusterWidth);
    Launch launch(24, dim3(4));
    CHECK(cudaOccupancyMaxActiveClusters(&count, free_size, &launch.config));
    int blocks = 0, processors = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, free_size, 64, 0));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    REQUIRE(count == blocks * processors / 4, "%d clusters, but %d blocks on %d multiprocessors", count, blocks, processors);
    CHECK(cudaOccupancyMaxPotentialClusterSize(&size, free_size, &launch.config));
    REQUIRE(size == 16, "the largest cluster has %d blocks", size);
    CHECK(cudaOccupancyMaxPotentialClusterSize(&size, pairs, &launch.config));
    REQUIRE(size == 2, "pairs may have %d blocks", size);
    launch.config.blockDim = dim3(2048);
    CHECK(cudaOccupancyMaxActiveClusters(&count, free_size, &launch.config));
    REQUIRE(count == 0, "%d clusters of blocks that are too large", count);
    EXPECT(cudaOccupancyMaxActiveClusters(nullptr, free_size, &launch.config), cudaErrorInvalidValue);
    EXPECT(cudaOccupancyMaxActiveClusters(&count, free_size, nullptr), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void graphs(int *data)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    Launch launch(24, dim3(4), stream);
    CHECK(cudaLaunchKernelEx(&launch.config, free_size, data));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        require_passed(data, 24, 4, "a captured launch");
    }
    cudaGraphNode_t node;
    size_t nodes = 1;
    CHECK(cudaGraphGetNodes(graph, &node, &nodes));
    cudaLaunchAttributeValue value = {};
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    REQUIRE(value.clusterDim.x == 4, "the node has a cluster of %u", value.clusterDim.x);
    value.clusterDim.x = 5;
    EXPECT(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value), cudaErrorInvalidValue);
    value.clusterDim.x = 6;
    CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    require_passed(data, 24, 6, "a node with another cluster");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    cudaGetLastError();
}

int main()
{
    int *data = device_array<int>(256);
    launches(data);
    refusals(data);
    questions();
    graphs(data);
    printf("ok clusters\n");
    return 0;
}
