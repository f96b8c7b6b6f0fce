// nvcc: -arch=sm_80 -rdc=true
// Grid synchronisation by the device runtime's own functions, as numba calls them.
#include <cuda_device_runtime_api.h>

extern "C" __global__ void reversed(int *cells, int *out, int rounds)
{
    unsigned long long grid = cudaCGGetIntrinsicHandle(cudaCGScopeGrid);
    unsigned threads, grids, rank, which;
    cudaCGGetSize(&threads, &grids, grid);
    cudaCGGetRank(&rank, &which, grid);
    cells[rank] = rank;
    for (int i = 0; i < rounds; i++) {
        cudaCGSynchronize(grid, 0);
        int other = cells[threads - 1 - rank];
        cudaCGSynchronize(grid, 0);
        cells[rank] = other + grids + which;
    }
    out[rank] = cells[rank];
}

extern "C" __global__ void handle(int *out)
{
    out[0] = cudaCGGetIntrinsicHandle(cudaCGScopeGrid) == 0;
    out[1] = cudaCGSynchronize(0, 0);
    out[2] = cudaCGGetIntrinsicHandle((cudaCGScope)17) == 0;
}
