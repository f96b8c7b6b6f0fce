// Transpose through padded shared memory, with elements of 1, 4, 8 and 16 bytes.
#include "check.h"

#include <cstring>
#include <vector>

const int TILE = 32, ROWS = 8;

template <class T> __global__ void transpose(const T *from, T *to, int width, int height)
{
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS) {
        if (x < width && y + row < height) {
            tile[threadIdx.y + row][threadIdx.x] = from[(y + row) * width + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS) {
        if (x < height && y + row < width) {
            to[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
        }
    }
}

template <class T> void try_type(const char *name)
{
    const int width = 117, height = 203;
    std::vector<T> from(width * height), to(width * height);
    uint32_t seed = 13;
    for (T &element : from) {
        for (size_t b = 0; b < sizeof(T); b++) {
            reinterpret_cast<unsigned char *>(&element)[b] = static_cast<unsigned char>(next_random(seed));
        }
    }
    T *a = device_copy(from.data(), from.size()), *b = device_array<T>(to.size());
    transpose<T><<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(a, b, width, height);
    LAUNCHED();
    host_copy(to.data(), b, to.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            REQUIRE(memcmp(&to[x * height + y], &from[y * width + x], sizeof(T)) == 0, "%s (%d, %d)", name, x, y);
        }
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

int main()
{
    try_type<unsigned char>("char");
    try_type<float>("float");
    try_type<double>("double");
    try_type<float4>("float4");
    printf("ok 4 types\n");
    return 0;
}
