// Reductions and scans as they were written before __syncwarp: the last warp works on volatile shared
// memory and relies on its lanes keeping step.
#include "check.h"

#include <vector>

template <typename T> __device__ void fold(volatile T *s, int t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

template <typename T> __global__ void sum(const T *in, T *out, int count)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *s = reinterpret_cast<T *>(memory);
    int t = threadIdx.x;
    T mine = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < count; i += gridDim.x * blockDim.x) {
        mine += in[i];
    }
    s[t] = mine;
    if (t < 32) {
        s[blockDim.x + t] = 0; // so that a block of one warp needs no step of its own
    }
    __syncthreads();
    for (int half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        fold<T>(s, t);
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

__global__ void scan(int *data)
{
    __shared__ volatile int s[16 * 48];
    int lane = threadIdx.x & 31;
    int at = threadIdx.x / 32 * 48 + 16 + lane;
    s[at - 16] = 0;
    s[at] = data[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        s[at] += s[at - d];
    }
    data[blockIdx.x * blockDim.x + threadIdx.x] = s[at];
}

template <typename T> void check_sums(const char *name)
{
    const int count = 100000, blocks = 7;
    std::vector<T> in(count), out(blocks);
    long long expected = 0;
    for (int i = 0; i < count; i++) {
        in[i] = static_cast<T>(i * 37 % 101 - 50);
        expected += i * 37 % 101 - 50;
    }
    T *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, count * sizeof(T)));
    CHECK(cudaMalloc(&device_out, blocks * sizeof(T)));
    CHECK(cudaMemcpy(device_in, in.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    for (int threads = 32; threads <= 1024; threads *= 2) {
        sum<T><<<blocks, threads, (threads + 32) * sizeof(T)>>>(device_in, device_out, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), device_out, blocks * sizeof(T), cudaMemcpyDeviceToHost));
        long long total = 0;
        for (T part : out) {
            total += static_cast<long long>(part);
        }
        REQUIRE(total == expected, "%s with %d threads: %lld, not %lld", name, threads, total, expected);
    }
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
}

static void check_scan()
{
    const int count = 20 * 512;
    std::vector<int> in(count), out(count);
    for (int i = 0; i < count; i++) {
        in[i] = i * 73 % 19 - 9;
    }
    int *data;
    CHECK(cudaMalloc(&data, count * sizeof(int)));
    CHECK(cudaMemcpy(data, in.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    scan<<<20, 512>>>(data);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0, expected = 0; i < count; i++) {
        expected = i % 32 == 0 ? in[i] : expected + in[i];
        REQUIRE(out[i] == expected, "scan at %d: %d, not %d", i, out[i], expected);
    }
    CHECK(cudaFree(data));
}

int main()
{
    check_sums<int>("int");
    check_sums<float>("float");
    check_sums<double>("double");
    check_scan();
    printf("ok warp_synchronous\n");
    return 0;
}
