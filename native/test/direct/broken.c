/* A vendor's driver that is hardly one: it has one call. */
#include "facet_cuda.h"

__attribute__((visibility("default"))) CUresult cuDriverGetVersion(int *version)
{
    *version = 12000;
    return CUDA_SUCCESS;
}
