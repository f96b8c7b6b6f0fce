// C = A * B, square, row-major, n a multiple of 16; 16x16 tiles in shared memory, two barriers per tile.
#define TILE 16

extern "C" __global__ void sgemm_tiled(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int column = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tileA[y][x] = a[row * n + start + x];
        tileB[y][x] = b[(start + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum = fmaf(tileA[y][k], tileB[k][x], sum);
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
