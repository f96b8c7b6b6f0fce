// SHA-256 with every loop unrolled.

__device__ __forceinline__ unsigned rotr(unsigned x, int n) {
    return __funnelshift_r(x, x, n);
}

__device__ __forceinline__ void compress(unsigned (&h)[8], unsigned (&w)[16]) {
    constexpr unsigned k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    unsigned s[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        s[i] = h[i];
    }
#pragma unroll
    for (int r = 0; r < 64; r++) {
        if (r >= 16) {
            unsigned a = w[(r + 1) & 15];
            unsigned b = w[(r + 14) & 15];
            w[r & 15] += (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[(r + 9) & 15]
                    + (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
        }
        unsigned e = s[4];
        unsigned a = s[0];
        unsigned t1 = s[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & s[5]) ^ (~e & s[6]))
                + k[r] + w[r & 15];
        unsigned t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22))
                + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        s[7] = s[6];
        s[6] = s[5];
        s[5] = s[4];
        s[4] = s[3] + t1;
        s[3] = s[2];
        s[2] = s[1];
        s[1] = s[0];
        s[0] = t1 + t2;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        h[i] += s[i];
    }
}

__device__ __forceinline__ void initial(unsigned (&h)[8]) {
    constexpr unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
    for (int i = 0; i < 8; i++) {
        h[i] = start[i];
    }
}

// The digest h becomes the digest of its 32 bytes.
__device__ __forceinline__ void rehash(unsigned (&h)[8]) {
    unsigned w[16];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        w[i] = h[i];
        w[i + 8] = 0;
    }
    w[8] = 0x80000000u;
    w[15] = 256;
    initial(h);
    compress(h, w);
}
