// Heat in a plate: a five-point stencil with halo in shared memory, two arrays in turn.
#include "check.h"

#include <vector>

const int TILE = 16;

__host__ __device__ inline float point(float middle, float up, float down, float left, float right)
{
    return fmaf(0.2f, (up + down) + (left + right) - 4 * middle, middle);
}

__global__ void heat(const float *from, float *to, int width, int height)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int cx = min(x, width - 1), cy = min(y, height - 1);
    tile[ty][tx] = from[cy * width + cx];
    if (threadIdx.x == 0) {
        tile[ty][0] = from[cy * width + max(cx - 1, 0)];
    }
    if (threadIdx.x == TILE - 1) {
        tile[ty][TILE + 1] = from[cy * width + min(cx + 1, width - 1)];
    }
    if (threadIdx.y == 0) {
        tile[0][tx] = from[max(cy - 1, 0) * width + cx];
    }
    if (threadIdx.y == TILE - 1) {
        tile[TILE + 1][tx] = from[min(cy + 1, height - 1) * width + cx];
    }
    __syncthreads();
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        to[y * width + x] = point(tile[ty][tx], tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
    } else if (x < width && y < height) {
        to[y * width + x] = tile[ty][tx];
    }
}

int main()
{
    const int width = 130, height = 97, steps = 40;
    std::vector<float> plate(width * height), other(width * height), result(width * height);
    for (int i = 0; i < width * height; i++) {
        plate[i] = i % 37 == 0 ? 100.0f : 0.0f;
    }
    float *from = device_copy(plate.data(), plate.size()), *to = device_array<float>(plate.size());
    for (int s = 0; s < steps; s++) {
        heat<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, TILE)>>>(from, to, width, height);
        LAUNCHED();
        float *swap = from;
        from = to;
        to = swap;
        other = plate;
        for (int y = 1; y < height - 1; y++) {
            for (int x = 1; x < width - 1; x++) {
                int i = y * width + x;
                other[i] = point(plate[i], plate[i - width], plate[i + width], plate[i - 1], plate[i + 1]);
            }
        }
        plate.swap(other);
    }
    host_copy(result.data(), from, result.size());
    for (int i = 0; i < width * height; i++) {
        REQUIRE(fabsf(result[i] - plate[i]) <= 1e-3f, "(%d, %d) is %g, expected %g", i % width, i / width, result[i], plate[i]);
    }
    printf("ok %d steps\n", steps);
    return 0;
}
