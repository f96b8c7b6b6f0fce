// nvcc: -arch=sm_75 also=sm_100
// Matrix products with a fixed order of the fused multiply-adds, so that results are exact.

#define TILE 16

// C[m,n] = A[m,k] * B[k,n], row-major, any size.
extern "C" __global__ void multiply_tiled(
        const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < k; start += TILE) {
        int x = start + threadIdx.x;
        int y = start + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = column < n && y < k ? b[y * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            sum = fmaf(tileA[threadIdx.y][i], tileB[i][threadIdx.x], sum);
        }
        __syncthreads();
    }
    if (row < m && column < n) {
        c[row * n + column] = sum;
    }
}

extern "C" __global__ void multiply_naive(
        const double* a, const double* b, double* c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < n) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
            sum = fma(a[row * k + i], b[i * n + column], sum);
        }
        c[row * n + column] = sum;
    }
}

// One warp a row: lanes stride over the columns, then a butterfly.
extern "C" __global__ void matrix_vector(
        const float* matrix, const float* vector, float* out, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (row >= rows) {
        return;
    }
    float sum = 0;
    for (int column = lane; column < columns; column += 32) {
        sum = fmaf(matrix[row * columns + column], vector[column], sum);
    }
    for (int offset = 16; offset > 0; offset >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) {
        out[row] = sum;
    }
}
