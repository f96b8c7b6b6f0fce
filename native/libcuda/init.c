#include "client.h"

CUresult facet_cuInit(unsigned int flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = facet_session_open();
    if (result == CUDA_SUCCESS && facet_device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    return result;
}

/* Works without a device: programs ask for it to say what is missing. */
CUresult facet_cuDriverGetVersion(int *version)
{
    if (version == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}
