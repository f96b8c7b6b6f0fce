// Fourier transform, forth and back: sincospif, a launch a stage, then all of it in one block.
#include "check.h"

#include <vector>

__device__ inline float2 multiply(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Stockham: no reordering of the elements.
__device__ inline void butterfly(const float2 *from, float2 *to, int count, int width, int i, float direction)
{
    int k = i % width;
    float2 turn;
    sincospif(direction * k / width, &turn.y, &turn.x);
    float2 a = from[i], b = multiply(from[i + count / 2], turn);
    int at = (i - k) * 2 + k;
    to[at] = make_float2(a.x + b.x, a.y + b.y);
    to[at + width] = make_float2(a.x - b.x, a.y - b.y);
}

__global__ void stage(const float2 *from, float2 *to, int count, int width, float direction)
{
    butterfly(from, to, count, width, blockIdx.x * blockDim.x + threadIdx.x, direction);
}

__global__ void whole(float2 *data, int count, float direction)
{
    extern __shared__ float2 memory[];
    float2 *from = memory, *to = memory + count;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        from[i] = data[i];
    }
    __syncthreads();
    for (int width = 1; width < count; width *= 2) {
        for (int i = threadIdx.x; i < count / 2; i += blockDim.x) {
            butterfly(from, to, count, width, i, direction);
        }
        __syncthreads();
        float2 *swap = from;
        from = to;
        to = swap;
    }
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        data[i] = from[i];
    }
}

int main()
{
    const int count = 1024;
    std::vector<float2> signal(count), spectrum(count), back(count);
    for (int i = 0; i < count; i++) {
        signal[i] = make_float2(cosf(6.2831853f * 5 * i / count) + 0.5f * sinf(6.2831853f * 100 * i / count), 0);
    }
    float2 *a = device_copy(signal.data(), count), *b = device_array<float2>(count);
    for (int width = 1; width < count; width *= 2) {
        stage<<<count / 2 / 128, 128>>>(a, b, count, width, -1.0f);
        LAUNCHED();
        float2 *swap = a;
        a = b;
        b = swap;
    }
    host_copy(spectrum.data(), a, count);
    for (int i = 0; i < count; i++) {
        float size = hypotf(spectrum[i].x, spectrum[i].y);
        float expected = i == 5 || i == count - 5 ? count / 2 : i == 100 || i == count - 100 ? count / 4 : 0;
        REQUIRE(fabsf(size - expected) < 0.01f, "frequency %d has %g, expected %g", i, size, expected);
    }
    whole<<<1, 256, 2 * count * sizeof(float2)>>>(a, count, 1.0f);
    LAUNCHED();
    host_copy(back.data(), a, count);
    for (int i = 0; i < count; i++) {
        REQUIRE(fabsf(back[i].x / count - signal[i].x) < 1e-4f, "sample %d is %g, expected %g", i, back[i].x / count, signal[i].x);
    }
    printf("ok %d samples\n", count);
    return 0;
}
