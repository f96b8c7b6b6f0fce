// CRC-32 of 64 bytes a thread, byte by byte with a table in shared memory.
extern "C" __global__ void crc(const unsigned *__restrict__ table, const unsigned char *__restrict__ in, unsigned *__restrict__ out)
{
    __shared__ unsigned shared[256];
    shared[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned sum = ~0u;
    for (int k = 0; k < 64; k++) {
        sum = shared[(sum ^ in[i * 64 + k]) & 255] ^ sum >> 8;
    }
    out[i] = ~sum;
}
