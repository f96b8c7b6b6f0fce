// The kernels of the demo; `compile` makes kernels.ptx.

extern "C" __global__ void mandelbrot(int width, int height, int iterations, float left, float top, float step, unsigned short *counts)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float cr = left + x * step, ci = top + y * step;
    float zr = 0, zi = 0;
    int n = 0;
    for (; n < iterations && zr * zr + zi * zi < 4; n++) {
        float next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
    }
    counts[y * width + x] = n;
}

extern "C" __global__ void nbody(int bodies, float seconds, const float4 *from, float4 *to, float4 *velocities)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 self = from[i];
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < bodies; start += blockDim.x) {
        tile[threadIdx.x] = from[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - self.x, dy = tile[j].y - self.y, dz = tile[j].z - self.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    float4 v = velocities[i];
    v.x += ax * seconds;
    v.y += ay * seconds;
    v.z += az * seconds;
    velocities[i] = v;
    to[i] = make_float4(self.x + v.x * seconds, self.y + v.y * seconds, self.z + v.z * seconds, self.w);
}

extern "C" __global__ void multiply(int n, const float *a, const float *b, float *c)
{
    __shared__ float left[16][16], right[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++) {
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void scribble(int *address)
{
    *address = 1;
}
