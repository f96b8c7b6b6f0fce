/* Devices: handles, names, places. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "management.h"

enum {
    UUID_TEXT = 48,
    DEVICE_LIMIT = 64, /* more than a daemon has */
};

/* A handle is the address of an entry: its index is the device's number. */
struct nvmlDevice_st {
    char unused;
};

static struct nvmlDevice_st handles[DEVICE_LIMIT];

nvmlReturn_t facet_nvml_device(nvmlDevice_t handle, int *ordinal, const struct facet_device_record **record)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)handles;
    if (offset >= sizeof handles)
        return NVML_ERROR_INVALID_ARGUMENT;
    *ordinal = (int)(offset / sizeof *handles);
    *record = facet_device(*ordinal);
    return *record != NULL ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlDevice_t facet_nvml_handle(int ordinal)
{
    return &handles[ordinal];
}

static void uuid_text(const struct facet_device_record *record, char text[UUID_TEXT])
{
    const uint8_t *u = record->uuid;
    snprintf(text, UUID_TEXT, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1], u[2], u[3], u[4], u[5], u[6],
             u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
}

nvmlReturn_t facet_nvmlDeviceGetCount_v2(unsigned int *count)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready == NVML_SUCCESS)
        *count = (unsigned)facet_device_count();
    return ready;
}

nvmlReturn_t facet_nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    if (index >= DEVICE_LIMIT || facet_device((int)index) == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = &handles[index];
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    if (uuid == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < facet_device_count(); i++) {
        char text[UUID_TEXT];
        uuid_text(facet_device(i), text);
        if (strcasecmp(uuid, text) == 0)
            return facet_nvmlDeviceGetHandleByIndex_v2((unsigned)i, device);
    }
    return NVML_ERROR_NOT_FOUND;
}

static unsigned attribute(const struct facet_device_record *record, int which)
{
    return (unsigned)record->attributes[which];
}

/* domain:bus:device.function, with or without domain and function. */
nvmlReturn_t facet_nvmlDeviceGetHandleByPciBusId_v2(const char *text, nvmlDevice_t *device)
{
    nvmlReturn_t ready = facet_nvml_ready();
    unsigned domain = 0, bus, number;
    if (ready != NVML_SUCCESS)
        return ready;
    if (text == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (sscanf(text, "%x:%x:%x", &domain, &bus, &number) != 3) {
        domain = 0;
        if (sscanf(text, "%x:%x", &bus, &number) != 2)
            return NVML_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < facet_device_count(); i++) {
        const struct facet_device_record *record = facet_device(i);
        if (attribute(record, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID) == domain && attribute(record, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) == bus &&
            attribute(record, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID) == number)
            return facet_nvmlDeviceGetHandleByIndex_v2((unsigned)i, device);
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t facet_nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    char text[sizeof record->name + 1];
    if (result != NVML_SUCCESS)
        return result;
    memcpy(text, record->name, sizeof record->name);
    text[sizeof text - 1] = 0;
    return facet_nvml_text(text, name, length);
}

nvmlReturn_t facet_nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result == NVML_SUCCESS)
        *index = (unsigned)ordinal;
    return result;
}

nvmlReturn_t facet_nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *number)
{
    return facet_nvmlDeviceGetIndex(device, number);
}

nvmlReturn_t facet_nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    char text[UUID_TEXT];
    if (result != NVML_SUCCESS)
        return result;
    uuid_text(record, text);
    return facet_nvml_text(text, uuid, length);
}

/* The structure of older callers ends before busId. The software GPU has no PCI ids: they are 0. */
nvmlReturn_t facet_nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result != NVML_SUCCESS)
        return result;
    memset(pci, 0, offsetof(nvmlPciInfo_t, busId));
    pci->domain = attribute(record, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
    pci->bus = attribute(record, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    pci->device = attribute(record, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff, pci->device & 0xff);
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    nvmlReturn_t result = facet_nvmlDeviceGetPciInfo_v2(device, pci);
    if (result == NVML_SUCCESS)
        snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff, pci->device & 0xff);
    return result;
}
