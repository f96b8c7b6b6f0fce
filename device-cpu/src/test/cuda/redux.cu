// nvcc: -arch=sm_80 also=sm_100
// The reduce instructions of sm_80, with full and divergent masks.

extern "C" __global__ void redux_all(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    int* o = out + i * 8;
    o[0] = __reduce_add_sync(0xffffffffu, v);
    o[1] = __reduce_min_sync(0xffffffffu, v);
    o[2] = __reduce_max_sync(0xffffffffu, v);
    o[3] = (int) __reduce_add_sync(0xffffffffu, (unsigned) v);
    o[4] = (int) __reduce_min_sync(0xffffffffu, (unsigned) v);
    o[5] = (int) __reduce_max_sync(0xffffffffu, (unsigned) v);
    o[6] = (int) (__reduce_and_sync(0xffffffffu, (unsigned) v | 0xf0f0u));
    o[7] = (int) (__reduce_or_sync(0xffffffffu, (unsigned) v & 0xff00u)
            ^ __reduce_xor_sync(0xffffffffu, (unsigned) v));
}

extern "C" __global__ void redux_divergent(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int v = in[i];
    if (lane % 3 == 0) {
        out[i] = __reduce_add_sync(0x49249249u, v);
    } else if (lane % 3 == 1) {
        out[i] = __reduce_max_sync(0x92492492u, v);
    } else {
        out[i] = __reduce_min_sync(0x24924924u, v);
    }
}
