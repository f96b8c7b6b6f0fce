// nvcc: -arch=sm_75
// Transpose through a padded tile; a block of 32 x 8 threads moves 32 x 32 elements.

#define TILE 32

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += blockDim.y) {
        int y = blockIdx.y * TILE + j;
        if (x < width && y < height) {
            tile[j][threadIdx.x] = in[y * width + x];
        }
    }
    __syncthreads();
    int outX = blockIdx.y * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += blockDim.y) {
        int outY = blockIdx.x * TILE + j;
        if (outX < height && outY < width) {
            out[outY * height + outX] = tile[threadIdx.x][j];
        }
    }
}

// Swaps the axes of a volume with 3D blocks and no shared memory.
extern "C" __global__ void rotate_axes(const int* in, int* out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz) {
        out[(x * nz + z) * ny + y] = in[(z * ny + y) * nx + x];
    }
}
