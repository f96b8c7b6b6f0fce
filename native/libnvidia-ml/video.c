/* Encoders and decoders: there are none, so none is busy. */
#include "management.h"

enum { PERIOD_MICROSECONDS = 167000 };

nvmlReturn_t facet_nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int *percent, unsigned int *period)
{
    DEVICE;
    *percent = 0;
    *period = PERIOD_MICROSECONDS;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetEncoderCapacity(nvmlDevice_t device, nvmlEncoderType_t type, unsigned int *percent)
{
    DEVICE;
    if (type < NVML_ENCODER_QUERY_H264 || type > NVML_ENCODER_QUERY_AV1)
        return NVML_ERROR_INVALID_ARGUMENT;
    *percent = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetEncoderStats(nvmlDevice_t device, unsigned int *sessions, unsigned int *frames, unsigned int *latency)
{
    DEVICE;
    *sessions = *frames = *latency = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetEncoderSessions(nvmlDevice_t device, unsigned int *count, void *sessions)
{
    DEVICE;
    (void)sessions;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetFBCStats(nvmlDevice_t device, nvmlFBCStats_t *stats)
{
    DEVICE;
    *stats = (nvmlFBCStats_t){.sessionsCount = 0};
    return NVML_SUCCESS;
}
