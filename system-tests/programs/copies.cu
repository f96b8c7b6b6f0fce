// Copies in all directions, waiting and not, and when their memory may be touched again.
#include "check.h"

#include <cstring>

__global__ void slow_fill(unsigned *data, int count, unsigned value, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mix = value;
    for (int r = 0; r < rounds; r++) {
        mix = mix * 1664525u + 1013904223u;
    }
    if (i < count) {
        data[i] = mix == 0 ? value : value + i; // mix only keeps the thread busy
    }
}

int main()
{
    const int count = 1 << 18;
    const size_t bytes = count * sizeof(unsigned);
    unsigned *pageable = static_cast<unsigned *>(malloc(bytes)), *second = static_cast<unsigned *>(malloc(bytes)), *pinned;
    CHECK(cudaMallocHost(reinterpret_cast<void **>(&pinned), bytes));
    unsigned *a = device_array<unsigned>(count), *b = device_array<unsigned>(count);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));

    // Pageable to device while the stream is busy: the source is free again when the call returns.
    for (int i = 0; i < count; i++) {
        pageable[i] = 3 * i;
    }
    slow_fill<<<count / 256, 256, 0, stream>>>(a, count, 1000, 200);
    CHECK(cudaMemcpyAsync(b, pageable, bytes, cudaMemcpyHostToDevice, stream));
    memset(pageable, 0xff, bytes);
    // Device to pageable: complete when the call returns.
    CHECK(cudaMemcpyAsync(second, b, bytes, cudaMemcpyDeviceToHost, stream));
    for (int i = 0; i < count; i++) {
        REQUIRE(second[i] == 3u * i, "pageable: element %d is %u", i, second[i]);
    }
    // Device to pinned: complete when the stream is.
    CHECK(cudaMemcpyAsync(pinned, a, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; i++) {
        REQUIRE(pinned[i] == 1000u + i, "pinned: element %d is %u", i, pinned[i]);
    }
    // A waiting copy on the default stream comes after the work of a blocking stream.
    slow_fill<<<count / 256, 256, 0, stream>>>(a, count, 77, 200);
    CHECK(cudaMemcpy(pageable, a, bytes, cudaMemcpyDeviceToHost));
    REQUIRE(pageable[count - 1] == 77u + count - 1, "order: last element is %u", pageable[count - 1]);
    // Directions found by the addresses.
    CHECK(cudaMemcpy(b, pinned, bytes, cudaMemcpyDefault));
    CHECK(cudaMemcpy(second, b, bytes, cudaMemcpyDefault));
    REQUIRE(memcmp(second, pinned, bytes) == 0, "default direction");
    CHECK(cudaMemcpy(a, b, bytes, cudaMemcpyDefault));
    CHECK(cudaMemcpy(pageable, second, bytes, cudaMemcpyHostToHost));
    REQUIRE(memcmp(pageable, pinned, bytes) == 0, "host to host");
    // Parts, odd sizes, odd addresses.
    CHECK(cudaMemset(a, 0, bytes));
    CHECK(cudaMemcpy(reinterpret_cast<char *>(a) + 13, reinterpret_cast<char *>(b) + 7, 1001, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(second, a, bytes, cudaMemcpyDeviceToHost));
    REQUIRE(memcmp(reinterpret_cast<char *>(second) + 13, reinterpret_cast<char *>(pinned) + 7, 1001) == 0, "odd addresses");
    REQUIRE(reinterpret_cast<char *>(second)[12] == 0 && reinterpret_cast<char *>(second)[13 + 1001] == 0, "neighbours changed");
    // Nothing at all is fine.
    CHECK(cudaMemcpy(a, pageable, 0, cudaMemcpyHostToDevice));
    printf("ok copies\n");
    return 0;
}
