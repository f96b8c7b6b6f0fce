// nvcc: -arch=sm_75 -fmad=false also=sm_100
// Stencils with a halo in shared memory. No contraction: every operation rounds by itself.

#define RADIUS 3

extern "C" __global__ void stencil_1d(const int* in, int* out, int n) {
    extern __shared__ int line[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = threadIdx.x + RADIUS;
    line[at] = i < n ? in[i] : 0;
    for (int h = threadIdx.x; h < RADIUS; h += blockDim.x) {
        int left = (int) (blockIdx.x * blockDim.x) - RADIUS + h;
        int right = (blockIdx.x + 1) * blockDim.x + h;
        line[h] = left >= 0 ? in[left] : 0;
        line[RADIUS + blockDim.x + h] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i >= n) {
        return;
    }
    int sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++) {
        sum += line[at + d] * (RADIUS + 1 - abs(d));
    }
    out[i] = sum;
}

#define BX 16
#define BY 8

extern "C" __global__ void stencil_2d(const float* in, float* out, int width, int height) {
    __shared__ float tile[BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    for (int ty = threadIdx.y; ty < BY + 2; ty += BY) {
        for (int tx = threadIdx.x; tx < BX + 2; tx += BX) {
            int gx = (int) (blockIdx.x * BX) + tx - 1;
            int gy = (int) (blockIdx.y * BY) + ty - 1;
            bool inside = gx >= 0 && gx < width && gy >= 0 && gy < height;
            tile[ty][tx] = inside ? in[gy * width + gx] : 0.0f;
        }
    }
    __syncthreads();
    if (x < width && y < height) {
        int tx = threadIdx.x + 1;
        int ty = threadIdx.y + 1;
        float sum = tile[ty - 1][tx] + tile[ty + 1][tx];
        sum = sum + tile[ty][tx - 1];
        sum = sum + tile[ty][tx + 1];
        out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * sum;
    }
}

// Marches along z; the plane is shared, the neighbours in z stay in registers.
extern "C" __global__ void stencil_3d(
        const double* in, double* out, int nx, int ny, int nz) {
    __shared__ double plane[10][10];
    int x = blockIdx.x * 8 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    bool inside = x < nx && y < ny;
    double below = 0;
    double here = inside ? in[y * nx + x] : 0;
    for (int z = 0; z < nz; z++) {
        double above = inside && z + 1 < nz ? in[((z + 1) * ny + y) * nx + x] : 0;
        int tx = threadIdx.x + 1;
        int ty = threadIdx.y + 1;
        plane[ty][tx] = here;
        if (threadIdx.x == 0) {
            plane[ty][0] = x > 0 && y < ny ? in[(z * ny + y) * nx + x - 1] : 0;
        }
        if (threadIdx.x == 7) {
            plane[ty][9] = x + 1 < nx && y < ny ? in[(z * ny + y) * nx + x + 1] : 0;
        }
        if (threadIdx.y == 0) {
            plane[0][tx] = y > 0 && x < nx ? in[(z * ny + y - 1) * nx + x] : 0;
        }
        if (threadIdx.y == 7) {
            plane[9][tx] = y + 1 < ny && x < nx ? in[(z * ny + y + 1) * nx + x] : 0;
        }
        __syncthreads();
        if (inside) {
            double sum = plane[ty][tx - 1] + plane[ty][tx + 1];
            sum = sum + plane[ty - 1][tx];
            sum = sum + plane[ty + 1][tx];
            sum = sum + below;
            sum = sum + above;
            out[(z * ny + y) * nx + x] = sum - 6.0 * here;
        }
        __syncthreads();
        below = here;
        here = above;
    }
}
