// One partial sum per block: grid-stride sums, then a tree in shared memory. The host adds the partials.
#define BLOCK 256

extern "C" __global__ void reduction(int n, const float *__restrict__ values, float *__restrict__ partials)
{
    __shared__ float sums[BLOCK];
    int thread = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + thread; i < n; i += gridDim.x * BLOCK) {
        sum += values[i];
    }
    sums[thread] = sum;
    __syncthreads();
    for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
        if (thread < distance) {
            sums[thread] += sums[thread + distance];
        }
        __syncthreads();
    }
    if (thread == 0) {
        partials[blockIdx.x] = sums[0];
    }
}
