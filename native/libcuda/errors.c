#include "client.h"

CUresult facet_cuGetErrorName(CUresult error, const char **name)
{
    *name = facet_cuda_error_name(error);
    return *name == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_cuGetErrorString(CUresult error, const char **text)
{
    *text = facet_cuda_error_description(error);
    return *text == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
