/* What does not change while a device is there. */
#include "management.h"

nvmlReturn_t facet_nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *type)
{
    DEVICE;
    *type = NVML_BRAND_UNKNOWN;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    DEVICE;
    *major = record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
    *minor = record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *architecture)
{
    static const struct {
        int least;
        nvmlDeviceArchitecture_t architecture;
    } known[] = {{100, NVML_DEVICE_ARCH_BLACKWELL}, {90, NVML_DEVICE_ARCH_HOPPER},  {89, NVML_DEVICE_ARCH_ADA},
                 {80, NVML_DEVICE_ARCH_AMPERE},     {75, NVML_DEVICE_ARCH_TURING},  {70, NVML_DEVICE_ARCH_VOLTA},
                 {60, NVML_DEVICE_ARCH_PASCAL},     {50, NVML_DEVICE_ARCH_MAXWELL}, {30, NVML_DEVICE_ARCH_KEPLER}};
    DEVICE;
    int capability =
        record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] * 10 + record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
    *architecture = NVML_DEVICE_ARCH_UNKNOWN;
    for (size_t i = sizeof known / sizeof *known; i-- > 0;)
        if (capability >= known[i].least)
            *architecture = known[i].architecture;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int *multiple)
{
    DEVICE;
    *multiple = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *width)
{
    DEVICE;
    int bits = record->attributes[CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH];
    if (bits <= 0)
        return NVML_ERROR_NOT_SUPPORTED;
    *width = (unsigned)bits;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    DEVICE;
    *mode = record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_MODE];
    return NVML_SUCCESS;
}

/* A daemon holds the device whether it is used or not. */
nvmlReturn_t facet_nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    DEVICE;
    *mode = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t *display)
{
    DEVICE;
    *display = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t *active)
{
    return facet_nvmlDeviceGetDisplayMode(device, active);
}

nvmlReturn_t facet_nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, nvmlGpuVirtualizationMode_t *mode)
{
    DEVICE;
    *mode = NVML_GPU_VIRTUALIZATION_MODE_NONE;
    return NVML_SUCCESS;
}

/* Off: slices are not partitions that NVML knows of. */
nvmlReturn_t facet_nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    DEVICE;
    *current = 0;
    *pending = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count)
{
    DEVICE;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *partition)
{
    DEVICE;
    *partition = 0;
    return NVML_SUCCESS;
}
