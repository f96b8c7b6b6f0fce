// Copies of narrow and of wide elements, as programs that try alignments do: few threads, a long loop in each.
template <typename T> static __device__ void copy(int n, const T *__restrict__ in, T *__restrict__ out)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        out[i] = in[i];
    }
}

extern "C" __global__ void copy_u8(int n, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    copy(n, in, out);
}

extern "C" __global__ void copy_u16(int n, const unsigned short *__restrict__ in, unsigned short *__restrict__ out)
{
    copy(n, in, out);
}

extern "C" __global__ void copy_v4(int n, const uint4 *__restrict__ in, uint4 *__restrict__ out)
{
    copy(n, in, out);
}
