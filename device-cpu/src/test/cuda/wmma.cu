// nvcc: -arch=sm_80
// Products of matrices through nvcuda::wmma: a warp for each tile, in every type and shape.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, typename In, typename Element, typename Sum, typename LayoutA, typename LayoutB>
__device__ void gemm(const Element *a, const Element *b, Sum *c, int m, int n, int k) {
    constexpr bool rowsA = std::is_same<LayoutA, wmma::row_major>::value;
    constexpr bool rowsB = std::is_same<LayoutB, wmma::row_major>::value;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int row = warp / (n / N) * M;
    int column = warp % (n / N) * N;
    if (row >= m) {
        return;
    }
    wmma::fragment<wmma::matrix_a, M, N, K, In, LayoutA> left;
    wmma::fragment<wmma::matrix_b, M, N, K, In, LayoutB> right;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    wmma::load_matrix_sync(sum, c + row * n + column, n, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++) {
        sum.x[i] = sum.x[i] + sum.x[i];
    }
    for (int step = 0; step < k; step += K) {
        wmma::load_matrix_sync(left, rowsA ? a + row * k + step : a + step * m + row, rowsA ? k : m);
        wmma::load_matrix_sync(right, rowsB ? b + step * n + column : b + column * k + step, rowsB ? n : k);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

#define GEMM(name, M, N, K, In, Element, Sum, LayoutA, LayoutB)                                                       \
    extern "C" __global__ void name(const Element *a, const Element *b, Sum *c, int m, int n, int k) {              \
        gemm<M, N, K, In, Element, Sum, wmma::LayoutA, wmma::LayoutB>(a, b, c, m, n, k);                             \
    }

GEMM(f16_f32, 16, 16, 16, half, half, float, row_major, col_major)
GEMM(f16_f16, 32, 8, 16, half, half, half, col_major, row_major)
GEMM(bf16_f32, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, row_major)
GEMM(tf32_f32, 16, 16, 8, wmma::precision::tf32, float, float, row_major, col_major)
GEMM(f64_f64, 8, 8, 4, double, double, double, row_major, col_major)
GEMM(s8_s32, 16, 16, 16, signed char, signed char, int, row_major, col_major)
GEMM(u8_s32, 8, 32, 16, unsigned char, unsigned char, int, col_major, row_major)

// Integers of 4 bits and single bits: pointers are to words, strides in elements.
template <int K, typename In>
__device__ void narrow(const void *a, const void *b, int *c, int k, bool bits) {
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, K, In, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, K, In, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> sum;
    wmma::fill_fragment(sum, 0);
    int perWord = bits ? 32 : 8;
    for (int step = 0; step < k; step += K) {
        wmma::load_matrix_sync(left, (const int *) a + step / perWord, k);
        wmma::load_matrix_sync(right, (const int *) b + step / perWord, k);
        if constexpr (K == 128) {
            wmma::bmma_sync(sum, left, right, sum, bmmaBitOpAND);
        } else {
            wmma::mma_sync(sum, left, right, sum);
        }
    }
    wmma::store_matrix_sync(c, sum, 8, wmma::mem_col_major);
}

extern "C" __global__ void s4_s32(const void *a, const void *b, int *c, int k) {
    narrow<32, wmma::experimental::precision::s4>(a, b, c, k, false);
}

extern "C" __global__ void b1_s32(const void *a, const void *b, int *c, int k) {
    narrow<128, wmma::experimental::precision::b1>(a, b, c, k, true);
}
