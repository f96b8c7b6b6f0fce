// Eight threads that launch, copy and wait at the same time, each in its stream, then in one.
#include "check.h"

#include <thread>
#include <vector>

__global__ void add(unsigned *data, int count, unsigned value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] += value;
    }
}

__global__ void count_up(unsigned *value)
{
    atomicAdd(value, 1u);
}

void work(unsigned thread, unsigned *shared)
{
    const int count = 3000, rounds = 25;
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<unsigned> host(count, thread);
    for (int r = 0; r < rounds; r++) {
        unsigned *data = device_array<unsigned>(count);
        CHECK(cudaMemcpyAsync(data, host.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
        add<<<(count + 63) / 64, 64, 0, stream>>>(data, count, thread + 1);
        count_up<<<1, 1>>>(shared); // the default stream of all
        CHECK(cudaMemcpyAsync(host.data(), data, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaFree(data));
    }
    LAUNCHED();
    for (unsigned value : host) {
        REQUIRE(value == thread + rounds * (thread + 1), "thread %u has %u", thread, value);
    }
    CHECK(cudaStreamDestroy(stream));
}

int main()
{
    unsigned *shared = device_array<unsigned>(1), total = 0;
    CHECK(cudaMemset(shared, 0, sizeof total));
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 8; i++) {
        threads.emplace_back(work, i, shared);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    host_copy(&total, shared, 1);
    REQUIRE(total == 8 * 25, "%u launches in the default stream", total);
    printf("ok 8 threads\n");
    return 0;
}
