/* intruder KERNELS: takes more memory than its slice has, then writes where it has none. */
#include "demo.h"

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: intruder KERNELS.ptx\n");
        return 2;
    }
    CUfunction function = demo_open(arguments[1], "scribble");
    size_t memory = demo_memory();
    size_t piece = (size_t)8 << 20, taken = 0;
    CUdeviceptr block;
    CUresult result;
    while ((result = cuMemAlloc(&block, piece)) == CUDA_SUCCESS && taken < (size_t)1 << 40) {
        taken += piece;
    }
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        fprintf(stderr, "it was given %zu MiB and then the error %d\n", taken >> 20, (int)result);
        return 1;
    }
    CUdeviceptr nowhere = 64;
    void *parameters[] = {&nowhere};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    result = cuCtxSynchronize();
    if (result != CUDA_ERROR_ILLEGAL_ADDRESS) {
        fprintf(stderr, "an illegal address gave the error %d\n", (int)result);
        return 1;
    }
    printf("%zu\twas refused more than %zu MiB, then stopped at an illegal address\n", memory, taken >> 20);
    return 0;
}
