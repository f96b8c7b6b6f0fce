// Eight rounds of the 64-bit finaliser of MurmurHash3.
extern "C" __global__ void hash64(int rounds, const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long h = in[i];
    for (int round = 0; round < rounds; round++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdull;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ull;
        h ^= h >> 33;
        h += round;
    }
    out[i] = h;
}
