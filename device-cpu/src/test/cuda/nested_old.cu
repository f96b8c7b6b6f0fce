// nvcc: -arch=sm_75 -rdc=true -DCUDA_FORCE_CDP1_IF_SUPPORTED -D__CDPRT_SUPPRESS_SYNC_DEPRECATION_WARNING
// Kernels that launch kernels and wait for them, as before CUDA 12.

extern "C" __global__ void put(int *out, int value)
{
    out[threadIdx.x] = value + threadIdx.x;
}

extern "C" __global__ void waits(int *cells, int *out)
{
    __shared__ int error;
    int *own = cells + blockIdx.x * blockDim.x;
    if (threadIdx.x == 0) {
        put<<<1, blockDim.x>>>(own, 1000 * blockIdx.x);
        error = cudaDeviceSynchronize();
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = own[blockDim.x - 1 - threadIdx.x] + error;
}

// Each level waits for the two below it.
extern "C" __global__ void fibonacci(int *out, int n)
{
    if (n < 2) {
        *out = n;
        return;
    }
    int *parts;
    if (cudaMalloc(&parts, 2 * sizeof(int)) != cudaSuccess)
        return;
    fibonacci<<<1, 1>>>(parts, n - 1);
    fibonacci<<<1, 1>>>(parts + 1, n - 2);
    cudaDeviceSynchronize();
    *out = parts[0] + parts[1];
    cudaFree(parts);
}
