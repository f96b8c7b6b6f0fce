// C = A * B, square, row-major; one work-item per element of C, straight from global memory.
kernel void sgemm_naive(int n, global const float *restrict a, global const float *restrict b,
                        global float *restrict c) {
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum = fma(a[row * n + k], b[k * n + column], sum);
        }
        c[row * n + column] = sum;
    }
}
