// 256 bins of bytes: shared-memory atomics within a block, then global atomics. The bins start at zero.
#define BLOCK 256

extern "C" __global__ void histogram(int n, const unsigned char *__restrict__ data, unsigned *bins)
{
    __shared__ unsigned counts[BLOCK];
    int thread = threadIdx.x;
    counts[thread] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + thread; i < n; i += gridDim.x * BLOCK) {
        atomicAdd(&counts[data[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[thread], counts[thread]);
}
