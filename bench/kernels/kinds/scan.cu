// Inclusive sums of each 256 elements, in shared memory: eight steps with two barriers each.
extern "C" __global__ void scan(const unsigned *__restrict__ in, unsigned *__restrict__ out)
{
    __shared__ unsigned sums[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned sum = in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        if (threadIdx.x >= distance) {
            sum += sums[threadIdx.x - distance];
        }
        __syncthreads();
        sums[threadIdx.x] = sum;
        __syncthreads();
    }
    out[i] = sum;
}
