// What sm_90 added: clusters, bulk copies, mbarriers; plain code elsewhere.
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) exchange(int *out) {
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    value = cluster.block_rank();
    cluster.sync();
    int *other = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = *other;
    cluster.sync();
}

__global__ void bulk(int *data) {
    __shared__ alignas(16) int tile[1024];
    __shared__ cuda::std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, blockDim.x);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::cp_async_bulk(
                ptx::space_cluster, ptx::space_global, tile, data, sizeof(tile), &barrier);
        ptx::mbarrier_arrive_expect_tx(
                ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, sizeof(tile));
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    tile[threadIdx.x] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data, tile, sizeof(tile));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
#endif

__global__ void barriers(int *data) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    __shared__ int tile[128];
    cuda::memcpy_async(&tile[threadIdx.x], &data[threadIdx.x], sizeof(int), barrier);
    barrier.arrive_and_wait();
    data[threadIdx.x] = tile[127 - threadIdx.x];
}
