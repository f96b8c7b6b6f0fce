/* The board: strings and numbers that stand for one, and what it does not have. */
#include <stdio.h>
#include <string.h>

#include "management.h"

enum { SERIAL_TEXT = 16 };

/* 13 digits, made of the UUID: each device has its own, and keeps it. */
static void serial_of(const struct facet_device_record *record, char text[SERIAL_TEXT])
{
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof record->uuid; i++)
        value = value * 257 + record->uuid[i];
    snprintf(text, SERIAL_TEXT, "%013llu", (unsigned long long)(value % 10000000000000u));
}

nvmlReturn_t facet_nvmlDeviceGetSerial(nvmlDevice_t device, char *serial, unsigned int length)
{
    DEVICE;
    char text[SERIAL_TEXT];
    serial_of(record, text);
    return facet_nvml_text(text, serial, length);
}

nvmlReturn_t facet_nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    if (serial == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < facet_device_count(); i++) {
        char text[SERIAL_TEXT];
        serial_of(facet_device(i), text);
        if (strcmp(serial, text) == 0) {
            *device = facet_nvml_handle(i);
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t facet_nvmlDeviceGetBoardPartNumber(nvmlDevice_t device, char *number, unsigned int length)
{
    DEVICE;
    return facet_nvml_text("FACET-SOFTWARE-GPU", number, length);
}

nvmlReturn_t facet_nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char *version, unsigned int length)
{
    DEVICE;
    return facet_nvml_text("00.00.00.00.01", version, length);
}

nvmlReturn_t facet_nvmlDeviceGetInforomImageVersion(nvmlDevice_t device, char *version, unsigned int length)
{
    DEVICE;
    return facet_nvml_text("G000.0000.00.01", version, length);
}

nvmlReturn_t facet_nvmlDeviceGetInforomVersion(nvmlDevice_t device, nvmlInforomObject_t object, char *version, unsigned int length)
{
    static const char *const versions[] = {[NVML_INFOROM_OEM] = "2.1", [NVML_INFOROM_ECC] = "6.16", [NVML_INFOROM_POWER] = "1.0"};
    DEVICE;
    if (object < NVML_INFOROM_OEM || object > NVML_INFOROM_DEN)
        return NVML_ERROR_INVALID_ARGUMENT;
    return object == NVML_INFOROM_DEN ? NVML_ERROR_NOT_SUPPORTED : facet_nvml_text(versions[object], version, length);
}

nvmlReturn_t facet_nvmlDeviceGetInforomConfigurationChecksum(nvmlDevice_t device, unsigned int *checksum)
{
    DEVICE;
    *checksum = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceValidateInforom(nvmlDevice_t device)
{
    DEVICE;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned int *board)
{
    DEVICE;
    *board = (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_PCI_BUS_ID] << 8 | (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID];
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetModuleId(nvmlDevice_t device, unsigned int *module)
{
    DEVICE;
    *module = (unsigned)ordinal;
    return NVML_SUCCESS;
}

/* As many a multiprocessor as devices of its kind have. */
nvmlReturn_t facet_nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int *cores)
{
    DEVICE;
    int capability =
        record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] * 10 + record->attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
    *cores = (capability > 80 ? 128u : 64u) * (unsigned)record->attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT];
    return NVML_SUCCESS;
}

/* No firmware does a driver's work. */
nvmlReturn_t facet_nvmlDeviceGetGspFirmwareMode(nvmlDevice_t device, unsigned int *enabled, unsigned int *usual)
{
    DEVICE;
    *enabled = 0;
    *usual = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api, nvmlEnableState_t *restricted)
{
    DEVICE;
    if (api != NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS && api != NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS)
        return NVML_ERROR_INVALID_ARGUMENT;
    *restricted = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetCapabilities(nvmlDevice_t device, nvmlDeviceCapabilities_v1_t *capabilities)
{
    DEVICE;
    if (capabilities->version != FACET_NVML_VERSION(nvmlDeviceCapabilities_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    capabilities->capMask = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetC2cModeInfoV(nvmlDevice_t device, nvmlC2cModeInfo_v1_t *info)
{
    DEVICE;
    info->isC2cEnabled = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *support)
{
    DEVICE;
    if (support->version != 1)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    support->isSupportedDevice = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetGridLicensableFeatures_v4(nvmlDevice_t device, nvmlGridLicensableFeatures_t *features)
{
    DEVICE;
    *features = (nvmlGridLicensableFeatures_t){.isGridLicenseSupported = 0, .licensableFeaturesCount = 0};
    return NVML_SUCCESS;
}
