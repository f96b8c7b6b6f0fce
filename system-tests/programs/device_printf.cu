// What kernels print comes where the program waits, between its own lines.
#include "check.h"

__global__ void greet(int launch)
{
    printf("launch %d block %d\n", launch, blockIdx.x);
}

__global__ void formats(const char *text)
{
    printf("int %d %5d|%-5d|%05d %+d %u\n", -1, 42, 42, 42, 42, 3000000000u);
    printf("hex %x %X %#x oct %o char %c percent %%\n", 255, 255, 255, 8, 'f');
    printf("long %lld %llu %llx\n", -1234567890123ll, 18446744073709551615ull, 0xfedcba9876543210ull);
    printf("float %f %.3f %8.2f %e %g\n", 1.5, 3.14159, 2.71828, 12345.678, 0.0001);
    printf("string %s|%8s|%-8s|\n", text, "right", "left");
    printf("no arguments\n");
}

__global__ void in_turn()
{
    for (int i = 0; i < blockDim.x; i++) {
        if (threadIdx.x == i) {
            printf("thread %d of %d\n", i, blockDim.x);
        }
        __syncthreads();
    }
}

int main()
{
    printf("before\n");
    greet<<<1, 1>>>(1);
    greet<<<1, 1>>>(2);
    CHECK(cudaDeviceSynchronize());
    printf("between\n");
    char *text = device_array<char>(16);
    CHECK(cudaMemcpy(text, "from memory", 12, cudaMemcpyHostToDevice));
    formats<<<1, 1>>>(text);
    CHECK(cudaDeviceSynchronize());
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    in_turn<<<1, 4, 0, stream>>>();
    CHECK(cudaStreamSynchronize(stream));
    printf("after\n");
    for (int i = 3; i < 6; i++) {
        greet<<<1, 1, 0, stream>>>(i);
    }
    CHECK(cudaMemcpy(text, "x", 2, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    LAUNCHED();
    printf("ok printed\n");
    return 0;
}
