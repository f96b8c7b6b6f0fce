// A sparse matrix by a vector, one row a thread: rows of different lengths, columns anywhere.
extern "C" __global__ void spmv(int n, const int *__restrict__ starts, const int *__restrict__ columns, const float *__restrict__ values,
                                const float *__restrict__ x, float *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float sum = 0.0f;
        for (int k = starts[row]; k < starts[row + 1]; k++) {
            sum = fmaf(values[k], x[columns[k]], sum);
        }
        y[row] = sum;
    }
}
