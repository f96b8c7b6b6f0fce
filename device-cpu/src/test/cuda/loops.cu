// nvcc: -arch=sm_75 -fmad=false also=sm_100
// Long dependent loops with a different trip count in each thread.

extern "C" __global__ void collatz(int first, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long v = first + i;
        int steps = 0;
        while (v != 1) {
            v = (v & 1) ? 3 * v + 1 : v >> 1;
            steps++;
        }
        out[i] = steps;
    }
}

extern "C" __global__ void mandelbrot(int* out, int width, int height, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    float cr = -2.0f + 3.0f * x / width;
    float ci = -1.5f + 3.0f * y / height;
    float zr = 0;
    float zi = 0;
    int k = 0;
    while (k < limit && zr * zr + zi * zi <= 4.0f) {
        float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        k++;
    }
    out[y * width + x] = k;
}

// A linear congruential generator: every step needs the one before.
extern "C" __global__ void generator(const unsigned long long* seeds, unsigned long long* out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long state = seeds[i];
    for (int k = 0; k < steps; k++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    out[i] = state;
}

// A grid-stride loop: the grid need not cover n.
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        y[i] = fmaf(a, x[i], y[i]);
    }
}

// Which thread am I, in three dimensions; the loop of a software device has many chances to err.
extern "C" __global__ void identity(int* out) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int* o = out + 4 * (block * threads + thread);
    unsigned lane;
    unsigned warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(warp));
    o[0] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
    o[1] = blockIdx.x | blockIdx.y << 10 | blockIdx.z << 20;
    o[2] = lane;
    o[3] = warp;
}
