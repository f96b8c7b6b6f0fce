// flags: -rdc=true
// forms: shared static
// Grid synchronisation by the functions of the device runtime.
#include "check.h"

__global__ void turn(int *cells, int *next, int rounds)
{
    unsigned long long grid = cudaCGGetIntrinsicHandle(cudaCGScopeGrid);
    unsigned threads, grids, rank, which;
    cudaCGGetSize(&threads, &grids, grid);
    cudaCGGetRank(&rank, &which, grid);
    for (int i = 0; i < rounds; i++) {
        next[(rank + 1) % threads] = cells[rank] + 1;
        cudaCGSynchronize(grid, 0);
        cells[rank] = next[rank];
        cudaCGSynchronize(grid, 0);
    }
}

int main()
{
    const int blocks = 2, threads = 64, count = blocks * threads;
    int rounds = 9;
    int *cells, *next;
    CHECK(cudaMallocManaged(&cells, count * sizeof *cells));
    CHECK(cudaMallocManaged(&next, count * sizeof *next));
    for (int i = 0; i < count; i++)
        cells[i] = 100 * i;
    void *arguments[] = {&cells, &next, &rounds};
    CHECK(cudaLaunchCooperativeKernel((const void *)turn, blocks, threads, arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++)
        REQUIRE(cells[i] == 100 * ((i + count - rounds) % count) + rounds, "cell %d is %d", i, cells[i]);
    printf("ok\n");
    return 0;
}
