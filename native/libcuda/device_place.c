/* Devices by where they are on the bus. */
#include <stdio.h>

#include "device.h"

struct place {
    unsigned domain, bus, device;
};

static struct place place(const struct facet_device_record *record)
{
    return (struct place){
        .domain = (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID],
        .bus = (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_PCI_BUS_ID],
        .device = (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID],
    };
}

CUresult facet_cuDeviceGetPCIBusId(char *text, int length, CUdevice ordinal)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(ordinal, &record);
    if (result != CUDA_SUCCESS)
        return result;
    if (text == NULL || length < 13)
        return CUDA_ERROR_INVALID_VALUE;
    struct place at = place(record);
    snprintf(text, (size_t)length, "%04x:%02x:%02x.0", at.domain & 0xffff, at.bus & 0xff, at.device & 0xff);
    return CUDA_SUCCESS;
}

/* domain:bus:device.function, domain:bus:device, or bus:device.function; hexadecimal. */
static bool parse(const char *text, struct place *at)
{
    unsigned function = 0;
    int end = 0;
    *at = (struct place){0};
    if (sscanf(text, "%x:%x:%x.%x%n", &at->domain, &at->bus, &at->device, &function, &end) == 4 && text[end] == 0)
        return function == 0;
    if (sscanf(text, "%x:%x:%x%n", &at->domain, &at->bus, &at->device, &end) == 3 && text[end] == 0)
        return true;
    at->domain = 0;
    return sscanf(text, "%x:%x.%x%n", &at->bus, &at->device, &function, &end) == 3 && text[end] == 0 && function == 0;
}

CUresult facet_cuDeviceGetByPCIBusId(CUdevice *ordinal, const char *text)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct place wanted;
    if (ordinal == NULL || text == NULL || !parse(text, &wanted))
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < facet_device_count(); i++) {
        struct place at = place(facet_device(i));
        if (at.domain == wanted.domain && at.bus == wanted.bus && at.device == wanted.device) {
            *ordinal = i;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_DEVICE;
}
