/* Power and heat. A software GPU has neither: what is told follows how busy the slice is, between constants. docs/nvml.md */
#include <time.h>

#include "management.h"

static unsigned between(unsigned idle, unsigned busy)
{
    return idle + (busy - idle) * facet_nvml_busy_percent() / 100;
}

unsigned facet_nvml_power(void)
{
    return between(FACET_NVML_IDLE_MILLIWATTS, FACET_NVML_MOST_MILLIWATTS);
}

int facet_nvml_temperature(void)
{
    return (int)between(FACET_NVML_IDLE_DEGREES, FACET_NVML_BUSY_DEGREES);
}

/* What it would have taken: idle since the machine was started, and busy for as long as the slice was. Never less than before. */
unsigned long long facet_nvml_energy(void)
{
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    unsigned long long up = (unsigned long long)time.tv_sec * 1000u + (unsigned long long)time.tv_nsec / 1000000u;
    unsigned long long busy = facet_ledger_busy() / 1000000u;
    return up * FACET_NVML_IDLE_MILLIWATTS / 1000u + busy * (FACET_NVML_MOST_MILLIWATTS - FACET_NVML_IDLE_MILLIWATTS) / 1000u;
}

nvmlReturn_t facet_nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *power)
{
    DEVICE;
    *power = facet_nvml_power();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *energy)
{
    DEVICE;
    *energy = facet_nvml_energy();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    DEVICE;
    *mode = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int *limit)
{
    DEVICE;
    *limit = FACET_NVML_MOST_MILLIWATTS;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int *limit)
{
    return facet_nvmlDeviceGetPowerManagementLimit(device, limit);
}

nvmlReturn_t facet_nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *limit)
{
    return facet_nvmlDeviceGetPowerManagementLimit(device, limit);
}

nvmlReturn_t facet_nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *least, unsigned int *most)
{
    DEVICE;
    *least = FACET_NVML_LEAST_MILLIWATTS;
    *most = FACET_NVML_MOST_MILLIWATTS;
    return NVML_SUCCESS;
}

/* From the mains. */
nvmlReturn_t facet_nvmlDeviceGetPowerSource(nvmlDevice_t device, nvmlPowerSource_t *source)
{
    DEVICE;
    *source = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned int *fans)
{
    DEVICE;
    *fans = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned int *degrees)
{
    DEVICE;
    if (sensor != NVML_TEMPERATURE_GPU)
        return NVML_ERROR_INVALID_ARGUMENT;
    *degrees = (unsigned)facet_nvml_temperature();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_v1_t *temperature)
{
    DEVICE;
    if (temperature->version != FACET_NVML_VERSION(nvmlTemperature_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (temperature->sensorType != NVML_TEMPERATURE_GPU)
        return NVML_ERROR_INVALID_ARGUMENT;
    temperature->temperature = facet_nvml_temperature();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_v1_t *margin)
{
    DEVICE;
    if (margin->version != FACET_NVML_VERSION(nvmlMarginTemperature_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    margin->marginTemperature = FACET_NVML_SLOWDOWN_DEGREES - facet_nvml_temperature();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t threshold, unsigned int *degrees)
{
    DEVICE;
    switch (threshold) {
    case NVML_TEMPERATURE_THRESHOLD_SHUTDOWN:
        *degrees = FACET_NVML_SHUTDOWN_DEGREES;
        return NVML_SUCCESS;
    case NVML_TEMPERATURE_THRESHOLD_SLOWDOWN:
        *degrees = FACET_NVML_SLOWDOWN_DEGREES;
        return NVML_SUCCESS;
    case NVML_TEMPERATURE_THRESHOLD_MEM_MAX:
    case NVML_TEMPERATURE_THRESHOLD_GPU_MAX:
        *degrees = FACET_NVML_MOST_DEGREES;
        return NVML_SUCCESS;
    default:
        return threshold < 0 || threshold > NVML_TEMPERATURE_THRESHOLD_GPS_CURR ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_SUPPORTED;
    }
}

/* The one sensor, or with index 15 all of them. */
nvmlReturn_t facet_nvmlDeviceGetThermalSettings(nvmlDevice_t device, unsigned int index, nvmlGpuThermalSettings_t *settings)
{
    enum { INTERNAL = 1, GPU = 1, ALL = 15 };
    DEVICE;
    if (index != 0 && index != ALL)
        return NVML_ERROR_INVALID_ARGUMENT;
    *settings = (nvmlGpuThermalSettings_t){.count = 1};
    settings->sensor[0] = (nvmlThermalSensor_t){.controller = INTERNAL,
                                                .defaultMinTemp = 0,
                                                .defaultMaxTemp = FACET_NVML_SHUTDOWN_DEGREES,
                                                .currentTemp = facet_nvml_temperature(),
                                                .target = GPU};
    return NVML_SUCCESS;
}
