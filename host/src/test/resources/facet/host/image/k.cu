extern "C" __global__ void scale(float *cells, float factor, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) cells[i] *= factor;
}
__device__ int counter = 7;
extern "C" __global__ void count(int n) { atomicAdd(&counter, n); }
