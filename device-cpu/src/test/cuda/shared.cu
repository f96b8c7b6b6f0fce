// nvcc: -arch=sm_75
// Dynamic shared memory with several typed views, and shared memory through generic pointers.

extern "C" __global__ void typed_views(const double* in, int* out, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    double* doubles = (double*) raw;
    int* ints = (int*) (doubles + n);
    short* shorts = (short*) (ints + n);
    unsigned char* bytes = (unsigned char*) (shorts + n);
    int t = threadIdx.x;
    doubles[t] = in[blockIdx.x * n + t];
    ints[t] = (int) doubles[t] * 3;
    shorts[t] = (short) (ints[t] * 7);
    bytes[t] = (unsigned char) ints[t];
    __syncthreads();
    int o = n - 1 - t;
    out[blockIdx.x * n + t] = (int) doubles[o] + ints[o] + shorts[o] + bytes[o];
}

__device__ __noinline__ int read(const int* anywhere, int index) {
    return anywhere[index];
}

// The same function reads shared, global and local memory.
extern "C" __global__ void generic_pointers(const int* in, int* out) {
    __shared__ int fixed[64];
    extern __shared__ int dynamic[];
    int local[4];
    int t = threadIdx.x;
    fixed[t] = in[t] + 1;
    dynamic[t] = in[t] + 2;
    for (int k = 0; k < 4; k++) {
        local[k] = t * 10 + k;
    }
    __syncthreads();
    const int* source = t % 4 == 0 ? fixed : t % 4 == 1 ? dynamic : t % 4 == 2 ? in : local;
    out[blockIdx.x * blockDim.x + t] = read(source, t % 4 == 3 ? t & 3 : 63 - t);
}

// Overlapping views: bytes written, words read.
extern "C" __global__ void reinterpreted(const unsigned char* in, unsigned* out) {
    __shared__ __align__(8) unsigned char box[256];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        box[4 * t + k] = in[blockIdx.x * 256 + 4 * t + k];
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = ((unsigned*) box)[63 - t];
}

// Blocks must not see what an earlier block left in a variable it has set itself.
extern "C" __global__ void block_private(int* out) {
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = 0;
    }
    __syncthreads();
    atomicAdd(&mine, (int) blockIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        out[blockIdx.x] = mine;
    }
}
