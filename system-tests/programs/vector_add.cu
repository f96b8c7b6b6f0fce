// The first program of everyone: two arrays, their sum.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        c[i] = a[i] + b[i];
    }
}

int main()
{
    const int count = 100003; // not a multiple of the block
    float *a = new float[count], *b = new float[count], *c = new float[count];
    uint32_t seed = 1;
    for (int i = 0; i < count; i++) {
        a[i] = next_float(seed);
        b[i] = next_float(seed);
    }
    float *da = device_copy(a, count), *db = device_copy(b, count), *dc = device_array<float>(count);
    add<<<(count + 255) / 256, 256>>>(da, db, dc, count);
    LAUNCHED();
    host_copy(c, dc, count);
    for (int i = 0; i < count; i++) {
        REQUIRE(c[i] == a[i] + b[i], "element %d is %g", i, c[i]);
    }
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    delete[] a;
    delete[] b;
    delete[] c;
    printf("ok %d sums\n", count);
    return 0;
}
