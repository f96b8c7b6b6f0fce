// C = A * B, square, row-major; one thread per element of C, straight from global memory.
extern "C" __global__ void sgemm_naive(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum = fmaf(a[row * n + k], b[k * n + column], sum);
        }
        c[row * n + column] = sum;
    }
}
