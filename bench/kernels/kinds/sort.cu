// Sorts each 512 keys by a bitonic network in shared memory; a thread compares two keys in each step.
extern "C" __global__ void sort(const unsigned *__restrict__ in, unsigned *__restrict__ out)
{
    __shared__ unsigned keys[512];
    int start = blockIdx.x * 512;
    keys[threadIdx.x] = in[start + threadIdx.x];
    keys[threadIdx.x + 256] = in[start + threadIdx.x + 256];
    for (unsigned size = 2; size <= 512; size *= 2) {
        bool descending = (threadIdx.x & (size / 2)) != 0 && size < 512;
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            unsigned a = keys[at];
            unsigned b = keys[at + stride];
            if ((a > b) != descending) {
                keys[at] = b;
                keys[at + stride] = a;
            }
        }
    }
    __syncthreads();
    out[start + threadIdx.x] = keys[threadIdx.x];
    out[start + threadIdx.x + 256] = keys[threadIdx.x + 256];
}
