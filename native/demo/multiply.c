/* multiply KERNELS SECONDS: products of matrices, checked against the CPU. */
#include "demo.h"
#include <math.h>

enum { N = 512, TILE = 16 };

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: multiply KERNELS.ptx SECONDS\n");
        return 2;
    }
    CUfunction function = demo_open(arguments[1], "multiply");
    double end = demo_seconds() + atof(arguments[2]);
    static float a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)((i * 7 + j * 3) % 11) - 5;
            b[i][j] = (float)((i * 5 + j) % 13) - 6;
        }
    }
    CUdeviceptr left, right, product;
    CHECK(cuMemAlloc(&left, sizeof a));
    CHECK(cuMemAlloc(&right, sizeof b));
    CHECK(cuMemAlloc(&product, sizeof c));
    CHECK(cuMemcpyHtoD(left, a, sizeof a));
    CHECK(cuMemcpyHtoD(right, b, sizeof b));
    int n = N, products = 0;
    do {
        void *parameters[] = {&n, &left, &right, &product};
        CHECK(cuLaunchKernel(function, N / TILE, N / TILE, 1, TILE, TILE, 1, 0, NULL, parameters, NULL));
        CHECK(cuCtxSynchronize());
        products++;
    } while (demo_seconds() < end);
    CHECK(cuMemcpyDtoH(c, product, sizeof c));
    for (int i = 0; i < N; i += 37) {
        for (int j = 0; j < N; j += 41) {
            float expected = 0;
            for (int k = 0; k < N; k++) {
                expected += a[i][k] * b[k][j];
            }
            if (fabsf(expected - c[i][j]) > 0.5f) {
                fprintf(stderr, "element %d, %d is %g, not %g\n", i, j, (double)c[i][j], (double)expected);
                return 1;
            }
        }
    }
    printf("%zu\t%d products of %d x %d, as the CPU has them\n", demo_memory(), products, N, N);
    return 0;
}
