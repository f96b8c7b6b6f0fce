// nvcc: -arch=sm_75 also=sm_100
// Loads and stores of vectors and of narrow integers.

extern "C" __global__ void scale_float4(const float4* in, float4* out, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = in[i];
        out[i] = make_float4(v.w * by, v.z * by, v.y * by, v.x * by);
    }
}

extern "C" __global__ void swap_int2(const int2* in, int2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int2 v = in[i];
        out[i] = make_int2(v.y, v.x - v.y);
    }
}

extern "C" __global__ void double2_sum(const double2* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double2 v = in[i];
        out[i] = v.x - v.y;
    }
}

extern "C" __global__ void uchar4_mix(const uchar4* in, short4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar4 v = in[i];
        out[i] = make_short4(v.x - v.y, v.y * 2, -v.z, v.w + 1000);
    }
}

extern "C" __global__ void narrow(
        const signed char* bytes, const unsigned char* unsignedBytes, const short* shorts,
        const unsigned short* unsignedShorts, int* out, short* narrowed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = bytes[i];
        sum = sum * 3 + unsignedBytes[i];
        sum = sum * 3 + shorts[i];
        sum = sum * 3 + unsignedShorts[i];
        out[i] = sum;
        narrowed[i] = (short) sum;
    }
}

// Read-only loads and a structure of 12 bytes.
struct Triple {
    float x;
    float y;
    float z;
};

extern "C" __global__ void triples(const Triple* __restrict__ in, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __ldg(&in[i].x) - in[i].y + in[n - 1 - i].z;
    }
}
