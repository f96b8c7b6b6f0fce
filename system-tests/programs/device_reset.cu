// cudaDeviceReset gives everything back; what follows starts anew.
// forms: shared static
#include "check.h"

__device__ int counter = 5;

__global__ void increment()
{
    counter++;
}

int read()
{
    int value;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    return value;
}

int main()
{
    size_t before, after, total;
    CHECK(cudaMemGetInfo(&before, &total));
    char *leaked = device_array<char>(4 << 20);
    REQUIRE(leaked != nullptr, "no memory");
    increment<<<1, 1>>>();
    LAUNCHED();
    REQUIRE(read() == 6, "counter %d", read());
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    increment<<<1, 1, 0, stream>>>();
    CHECK(cudaDeviceReset());
    CHECK(cudaMemGetInfo(&after, &total));
    REQUIRE(after >= before, "%zu bytes, then %zu", before, after);
    REQUIRE(read() == 5, "the variable kept its value: %d", read());
    increment<<<1, 1>>>();
    LAUNCHED();
    REQUIRE(read() == 6, "counter %d", read());
    unsigned flags = 99;
    CHECK(cudaGetDeviceFlags(&flags));
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    printf("ok reset\n");
    return 0;
}
