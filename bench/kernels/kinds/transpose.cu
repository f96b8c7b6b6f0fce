// Transposes a square matrix: neighbouring threads read neighbours and write a column.
extern "C" __global__ void transpose(int n, const unsigned *__restrict__ in, unsigned *__restrict__ out)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
