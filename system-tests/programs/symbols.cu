// Module variables by name: constants, arrays, structures, initial values, addresses.
#include "check.h"

struct settings {
    double scale;
    int offset;
    short steps[3];
};

__constant__ settings config = {2.5, 7, {1, 2, 3}};
__device__ int table[100] = {1, 2, 3};
__device__ int *pointer = &table[2];
static __device__ float hidden = 0.25f;

__global__ void compute(double *result)
{
    result[0] = config.scale * config.offset + config.steps[2];
    result[1] = table[0] + table[50] + *pointer;
    result[2] = hidden;
    table[99] = 99;
}

int main()
{
    double *device = device_array<double>(3), result[3];
    compute<<<1, 1>>>(device);
    LAUNCHED();
    host_copy(result, device, 3);
    REQUIRE(result[0] == 2.5 * 7 + 3 && result[1] == 1 + 0 + 3 && result[2] == 0.25, "initial values: %g %g %g", result[0], result[1], result[2]);

    settings fresh = {-1.5, 10, {4, 5, 6}}, back;
    CHECK(cudaMemcpyToSymbol(config, &fresh, sizeof fresh));
    int middle = 500;
    CHECK(cudaMemcpyToSymbol(table, &middle, sizeof middle, 50 * sizeof(int)));
    float f = 8;
    CHECK(cudaMemcpyToSymbol(hidden, &f, sizeof f));
    compute<<<1, 1>>>(device);
    LAUNCHED();
    host_copy(result, device, 3);
    REQUIRE(result[0] == -1.5 * 10 + 6 && result[1] == 1 + 500 + 3 && result[2] == 8, "new values: %g %g %g", result[0], result[1], result[2]);
    int last = 0;
    CHECK(cudaMemcpyFromSymbol(&last, table, sizeof last, 99 * sizeof(int)));
    REQUIRE(last == 99, "the kernel's value: %d", last);
    CHECK(cudaMemcpyFromSymbol(&back, config, sizeof back));
    REQUIRE(back.scale == -1.5 && back.steps[1] == 5, "read back %g", back.scale);

    int *address = nullptr;
    size_t bytes = 0;
    CHECK(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    REQUIRE(bytes == sizeof table, "%zu bytes", bytes);
    host_copy(&last, address + 50, 1);
    REQUIRE(last == 500, "through the address: %d", last);
    CHECK(cudaMemset(address, 0, bytes));
    CHECK(cudaMemcpyFromSymbol(&last, table, sizeof last, 0));
    REQUIRE(last == 0, "after the fill: %d", last);
    printf("ok symbols\n");
    return 0;
}
