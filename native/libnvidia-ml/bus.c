/* The bus. There is none: memory is the machine's own. What is told is what a device of its kind has. */
#include <stdio.h>
#include <string.h>

#include "management.h"

enum { GENERATION = 4, LANES = 16, MEGABITS = 16000, SPEED_OF_GENERATION_4 = 4, PCI_EXPRESS = 2, DISPLAY = 3, ACCELERATOR = 2 };

#define BAR1_BYTES (256ull << 20)
#define BAR1_USED (1ull << 20)

nvmlReturn_t facet_nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    DEVICE;
    *generation = GENERATION;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int *width)
{
    DEVICE;
    *width = LANES;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned int *speed)
{
    DEVICE;
    *speed = SPEED_OF_GENERATION_4;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned int *speed)
{
    DEVICE;
    *speed = MEGABITS;
    return NVML_SUCCESS;
}

/* Copies cross no bus. */
nvmlReturn_t facet_nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int *kilobytes)
{
    DEVICE;
    if (counter != NVML_PCIE_UTIL_TX_BYTES && counter != NVML_PCIE_UTIL_RX_BYTES)
        return NVML_ERROR_INVALID_ARGUMENT;
    *kilobytes = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned int *count)
{
    DEVICE;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetBusType(nvmlDevice_t device, nvmlBusType_t *type)
{
    DEVICE;
    *type = PCI_EXPRESS;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetIrqNum(nvmlDevice_t device, unsigned int *number)
{
    DEVICE;
    *number = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_v1_t *pci)
{
    DEVICE;
    if (pci->version != FACET_NVML_VERSION(nvmlPciInfoExt_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    nvmlPciInfo_t plain;
    result = facet_nvmlDeviceGetPciInfo_v3(device, &plain);
    if (result != NVML_SUCCESS)
        return result;
    pci->domain = plain.domain;
    pci->bus = plain.bus;
    pci->device = plain.device;
    pci->pciDeviceId = plain.pciDeviceId;
    pci->pciSubSystemId = plain.pciSubSystemId;
    pci->baseClass = DISPLAY;
    pci->subClass = ACCELERATOR;
    memcpy(pci->busId, plain.busId, sizeof pci->busId);
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *memory)
{
    DEVICE;
    *memory = (nvmlBAR1Memory_t){.bar1Total = BAR1_BYTES, .bar1Free = BAR1_BYTES - BAR1_USED, .bar1Used = BAR1_USED};
    return NVML_SUCCESS;
}
