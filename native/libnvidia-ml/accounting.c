/* Accounting is off: what programs use is the slice's, and 'facet ps' tells it. */
#include "management.h"

enum { BUFFER = 4000 };

nvmlReturn_t facet_nvmlDeviceGetAccountingMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    DEVICE;
    *mode = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetAccountingBufferSize(nvmlDevice_t device, unsigned int *processes)
{
    DEVICE;
    *processes = BUFFER;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned int *count, unsigned int *processes)
{
    DEVICE;
    (void)processes;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetAccountingStats(nvmlDevice_t device, unsigned int process, nvmlAccountingStats_t *stats)
{
    DEVICE;
    (void)process;
    (void)stats;
    return NVML_ERROR_NOT_FOUND;
}
