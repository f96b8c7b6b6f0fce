// Matrix product with tiles in shared memory; sizes that are no multiples of the tile.
#include "check.h"

const int TILE = 16;

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < inner; tile += TILE) {
        int across = tile + threadIdx.x, down = tile + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < rows && across < inner ? a[row * inner + across] : 0;
        right[threadIdx.y][threadIdx.x] = down < inner && column < columns ? b[down * columns + column] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum = fmaf(left[threadIdx.y][k], right[k][threadIdx.x], sum);
        }
        __syncthreads();
    }
    if (row < rows && column < columns) {
        c[row * columns + column] = sum;
    }
}

int main()
{
    const int rows = 150, inner = 130, columns = 171;
    float *a = new float[rows * inner], *b = new float[inner * columns], *c = new float[rows * columns];
    uint32_t seed = 11;
    for (int i = 0; i < rows * inner; i++) {
        a[i] = next_float(seed) - 0.5f;
    }
    for (int i = 0; i < inner * columns; i++) {
        b[i] = next_float(seed) - 0.5f;
    }
    float *da = device_copy(a, rows * inner), *db = device_copy(b, inner * columns);
    float *dc = device_array<float>(rows * columns);
    multiply<<<dim3((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, TILE)>>>(da, db, dc, rows, inner, columns);
    LAUNCHED();
    host_copy(c, dc, rows * columns);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            float sum = 0; // same order and same rounding: the bits must agree
            for (int k = 0; k < inner; k++) {
                sum = fmaf(a[row * inner + k], b[k * columns + column], sum);
            }
            float got = c[row * columns + column];
            REQUIRE(got == sum, "(%d, %d) is %.9g, expected %.9g", row, column, got, sum);
        }
    }
    printf("ok %d x %d x %d\n", rows, inner, columns);
    return 0;
}
