// nvcc: -arch=sm_75
// __match_any_sync and __match_all_sync on 32 and 64 bits.

extern "C" __global__ void match_any(const int* in, const long long* wide, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = __match_any_sync(0xffffffffu, in[i]);
    out[2 * i + 1] = __match_any_sync(0xffffffffu, wide[i]);
}

extern "C" __global__ void match_all(const int* in, const double* wide, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int equal;
    unsigned mask = __match_all_sync(0xffffffffu, in[i], &equal);
    out[2 * i] = mask ^ (equal ? 0x80u : 0u);
    mask = __match_all_sync(0xffffffffu, wide[i], &equal);
    out[2 * i + 1] = mask ^ (equal ? 0x80u : 0u);
}

extern "C" __global__ void match_divergent(const int* in, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    if (lane < 16) {
        out[i] = __match_any_sync(0xffffu, in[i]);
    } else {
        int equal;
        unsigned mask = __match_all_sync(0xffff0000u, in[i] >> 2, &equal);
        out[i] = equal ? mask : 7;
    }
}
