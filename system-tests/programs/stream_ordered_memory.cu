// cudaMallocAsync and cudaFree mixed, from two streams that wait for each other.
#include "check.h"

__global__ void add(int *data, int count, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] += value;
    }
}

int main()
{
    const int count = 10000;
    cudaStream_t one, two;
    cudaEvent_t ready, done;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreate(&two));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    int *data, *host = new int[count];
    CHECK(cudaMallocAsync(reinterpret_cast<void **>(&data), count * sizeof(int), one));
    CHECK(cudaMemsetAsync(data, 0, count * sizeof(int), one));
    add<<<(count + 127) / 128, 128, 0, one>>>(data, count, 5);
    CHECK(cudaEventRecord(ready, one));
    CHECK(cudaStreamWaitEvent(two, ready, 0));
    add<<<(count + 127) / 128, 128, 0, two>>>(data, count, 7);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(host, data, count * sizeof(int), cudaMemcpyDeviceToHost, two));
    CHECK(cudaEventRecord(done, two));
    CHECK(cudaStreamWaitEvent(one, done, 0));
    CHECK(cudaFreeAsync(data, one));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++) {
        REQUIRE(host[i] == 12, "element %d is %d", i, host[i]);
    }
    CHECK(cudaMallocAsync(reinterpret_cast<void **>(&data), 4096, one));
    CHECK(cudaStreamSynchronize(one));
    CHECK(cudaFree(data)); // allowed, waits
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(one));
    CHECK(cudaStreamDestroy(two));
    printf("ok two streams\n");
    return 0;
}
