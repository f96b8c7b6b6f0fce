// A kernel with tensor core instructions: refused when it is needed, and the program goes on.
// forms: shared static
// stderr: matrix instructions are not supported by this device
#include "check.h"

#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

int main()
{
    half *a = device_array<half>(256);
    float *c = device_array<float>(256);
    multiply<<<1, 32>>>(a, a, c);
    cudaError_t error = cudaGetLastError();
    REQUIRE(error != cudaSuccess, "the launch went through");
    // Memory and everything else still work.
    CHECK(cudaMemset(c, 0, 1024));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
    printf("ok refused with %s\n", cudaGetErrorName(error));
    return 0;
}
