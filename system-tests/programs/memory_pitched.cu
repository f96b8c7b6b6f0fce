// Rows with a pitch: allocation, copies and fills of rectangles.
#include "check.h"

#include <cstring>
#include <vector>

__global__ void mark(unsigned char *base, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height) {
        base[y * pitch + x] = static_cast<unsigned char>(base[y * pitch + x] + x + 3 * y);
    }
}

int main()
{
    const int width = 333, height = 57, hostPitch = 400;
    unsigned char *a, *b;
    size_t pitch = 0, other = 0;
    CHECK(cudaMallocPitch(reinterpret_cast<void **>(&a), &pitch, width, height));
    CHECK(cudaMallocPitch(reinterpret_cast<void **>(&b), &other, width, height));
    REQUIRE(pitch >= width && pitch % 32 == 0 && other == pitch, "pitch %zu", pitch);
    std::vector<unsigned char> from(hostPitch * height), to(hostPitch * height, 0xcc);
    uint32_t seed = 2;
    for (unsigned char &byte : from) {
        byte = static_cast<unsigned char>(next_random(seed));
    }
    CHECK(cudaMemset2D(a, pitch, 0x11, width, height));
    // A rectangle inside: rows 2 to 51, columns 5 to 304.
    CHECK(cudaMemcpy2D(a + 2 * pitch + 5, pitch, &from[2 * hostPitch + 5], hostPitch, 300, 50, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(b, other, a, pitch, width, height, cudaMemcpyDeviceToDevice));
    mark<<<dim3((width + 63) / 64, height), 64>>>(b, other, width, height);
    LAUNCHED();
    CHECK(cudaMemcpy2D(to.data(), hostPitch, b, other, width, height, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < hostPitch; x++) {
            bool copied = y >= 2 && y < 52 && x >= 5 && x < 305;
            int expected = ((copied ? from[y * hostPitch + x] : 0x11) + x + 3 * y) & 0xff;
            if (x >= width) {
                expected = 0xcc; // beyond the width nothing is written
            }
            REQUIRE(to[y * hostPitch + x] == expected, "(%d, %d) is %d, expected %d", x, y, to[y * hostPitch + x], expected);
        }
    }
    std::vector<unsigned char> again(hostPitch * height);
    CHECK(cudaMemcpy2D(again.data(), hostPitch, b, other, width, height, cudaMemcpyDefault));
    REQUIRE(memcmp(again.data(), to.data(), width) == 0, "the direction was found wrongly");
    // Pitches smaller than the width are refused.
    REQUIRE(cudaMemcpy2D(to.data(), width - 1, b, other, width, height, cudaMemcpyDeviceToHost) != cudaSuccess, "pitch below width");
    cudaGetLastError();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    printf("ok %d x %d\n", width, height);
    return 0;
}
