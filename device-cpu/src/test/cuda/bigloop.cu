// nvcc: -arch=sm_75
// A loop whose body has more than 2,500 instructions: a chain of digests.

#include "sha256.cuh"

extern "C" __global__ void sha256_chain(const unsigned* seeds, const int* lengths, unsigned* digests) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        h[k] = __byte_perm(seeds[8 * i + k], 0, 0x0123);
    }
    int pairs = lengths[i];
#pragma unroll 1
    for (int round = 0; round < pairs; round++) {
        rehash(h);
        rehash(h);
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        digests[8 * i + k] = __byte_perm(h[k], 0, 0x0123);
    }
}
