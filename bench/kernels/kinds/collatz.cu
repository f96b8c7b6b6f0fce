// Steps of a sequence until it comes to 1: each thread has a loop of another length.
extern "C" __global__ void collatz(int limit, const unsigned *__restrict__ in, int *__restrict__ steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = in[i] >> 8 | 1;
    int count = 0;
    while (value != 1 && count < limit) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        count++;
    }
    steps[i] = count;
}
