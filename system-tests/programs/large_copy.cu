// Many mebibytes there and back, in pieces that cross every buffer on the way.
#include "check.h"

#include <vector>

__global__ void invert(uint64_t *data, size_t count)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        data[i] = ~data[i];
    }
}

int main()
{
    const size_t count = 6 << 20; // 48 MiB
    std::vector<uint64_t> host(count), back(count);
    uint64_t state = 88172645463325252ull;
    for (uint64_t &word : host) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word = state;
    }
    uint64_t *device = device_array<uint64_t>(count);
    size_t at = 0, piece = 1;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    while (at < count) { // sizes from 8 bytes up to some mebibytes
        size_t now = piece < count - at ? piece : count - at;
        CHECK(cudaMemcpyAsync(device + at, host.data() + at, now * sizeof(uint64_t), cudaMemcpyHostToDevice, stream));
        at += now;
        piece = piece * 3 + 1;
    }
    invert<<<64, 256, 0, stream>>>(device, count);
    LAUNCHED();
    CHECK(cudaMemcpyAsync(back.data(), device, count * sizeof(uint64_t), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < count; i++) {
        REQUIRE(back[i] == ~host[i], "word %zu", i);
    }
    CHECK(cudaFree(device));
    printf("ok %zu MiB\n", count >> 17);
    return 0;
}
