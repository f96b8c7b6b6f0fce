/* Errors of memory: the machine's own memory is watched by the machine; here it is off, and nothing was ever broken. */
#include "management.h"

nvmlReturn_t facet_nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current, nvmlEnableState_t *pending)
{
    DEVICE;
    *current = NVML_FEATURE_DISABLED;
    *pending = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    DEVICE;
    *mode = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

static nvmlReturn_t no_pages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned *count)
{
    DEVICE;
    if (cause < NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS || cause > NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int *count, unsigned long long *addresses)
{
    (void)addresses;
    return no_pages(device, cause, count);
}

nvmlReturn_t facet_nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int *count,
                                                unsigned long long *addresses, unsigned long long *times)
{
    (void)addresses;
    (void)times;
    return no_pages(device, cause, count);
}

nvmlReturn_t facet_nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, nvmlEnableState_t *pending)
{
    return facet_nvmlDeviceGetDefaultEccMode(device, pending);
}

nvmlReturn_t facet_nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *correctable, unsigned int *uncorrectable, unsigned int *pending,
                                             unsigned int *failed)
{
    DEVICE;
    *correctable = *uncorrectable = *pending = *failed = 0;
    return NVML_SUCCESS;
}

/* How many banks have all, much, some, little, none left for rows that break. */
nvmlReturn_t facet_nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device, nvmlRowRemapperHistogramValues_t *values)
{
    DEVICE;
    *values = (nvmlRowRemapperHistogramValues_t){.max = 640};
    return NVML_SUCCESS;
}
