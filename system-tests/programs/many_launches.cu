// Thousands of launches, faster than they run: the ring fills and nothing is lost or reordered.
#include "check.h"

__global__ void step(unsigned *value, unsigned number)
{
    *value = *value * 31 + number;
}

__global__ void wide(unsigned *values, unsigned number)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 31 + number;
}

int main()
{
    const unsigned launches = 20000;
    unsigned *value = device_array<unsigned>(1 + 4096), expected = 1, host;
    CHECK(cudaMemset(value, 0, (1 + 4096) * sizeof(unsigned)));
    CHECK(cudaMemcpy(value, &expected, sizeof expected, cudaMemcpyHostToDevice));
    for (unsigned i = 0; i < launches; i++) {
        step<<<1, 1>>>(value, i);
        expected = expected * 31 + i;
        if (i % 2000 == 999) {
            host_copy(&host, value, 1);
            REQUIRE(host == expected, "after %u launches: %u, expected %u", i + 1, host, expected);
        }
    }
    LAUNCHED();
    host_copy(&host, value, 1);
    REQUIRE(host == expected, "at the end: %u, expected %u", host, expected);
    expected = 0;
    for (unsigned i = 0; i < 500; i++) {
        wide<<<32, 128>>>(value + 1, i);
        expected = expected * 31 + i;
    }
    LAUNCHED();
    host_copy(&host, value + 4096, 1);
    REQUIRE(host == expected, "wide: %u, expected %u", host, expected);
    printf("ok %u launches\n", launches);
    return 0;
}
