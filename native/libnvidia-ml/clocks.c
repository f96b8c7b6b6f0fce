/* Clocks and states of performance: always those of the device's profile, since nothing slows it down. */
#include <stdio.h>

#include "management.h"

unsigned facet_nvml_clock(const struct facet_device_record *record, nvmlClockType_t type)
{
    int which = type == NVML_CLOCK_MEM ? CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE : CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
    int kilohertz = record->attributes[which];
    return kilohertz > 0 ? (unsigned)kilohertz / 1000 : 0;
}

static bool is_clock(nvmlClockType_t type)
{
    return type >= NVML_CLOCK_GRAPHICS && type <= NVML_CLOCK_VIDEO;
}

nvmlReturn_t facet_nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock)
{
    DEVICE;
    if (!is_clock(type))
        return NVML_ERROR_INVALID_ARGUMENT;
    *clock = facet_nvml_clock(record, type);
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock)
{
    return facet_nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t facet_nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock)
{
    return facet_nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t facet_nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned int *clock)
{
    if (id < NVML_CLOCK_ID_CURRENT || id > NVML_CLOCK_ID_CUSTOMER_BOOST_MAX)
        return NVML_ERROR_INVALID_ARGUMENT;
    return facet_nvmlDeviceGetClockInfo(device, type, clock);
}

/* The one clock that there is to choose. */
static nvmlReturn_t only(unsigned clock, unsigned *count, unsigned *clocks)
{
    unsigned room = *count;
    *count = 1;
    if (room == 0 || clocks == NULL)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    clocks[0] = clock;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count, unsigned int *clocks)
{
    DEVICE;
    return only(facet_nvml_clock(record, NVML_CLOCK_MEM), count, clocks);
}

nvmlReturn_t facet_nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memory, unsigned int *count, unsigned int *clocks)
{
    DEVICE;
    if (memory != facet_nvml_clock(record, NVML_CLOCK_MEM))
        return NVML_ERROR_NOT_FOUND;
    return only(facet_nvml_clock(record, NVML_CLOCK_GRAPHICS), count, clocks);
}

nvmlReturn_t facet_nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *state)
{
    DEVICE;
    *state = NVML_PSTATE_0;
    return NVML_SUCCESS;
}

/* size: in bytes. Behind the last one that there is they are unknown. */
nvmlReturn_t facet_nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device, nvmlPstates_t *states, unsigned int size)
{
    DEVICE;
    size_t count = size / sizeof *states;
    if (count == 0)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    for (size_t i = 0; i < count; i++)
        states[i] = i == 0 ? NVML_PSTATE_0 : NVML_PSTATE_UNKNOWN;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMinMaxClockOfPState(nvmlDevice_t device, nvmlClockType_t type, nvmlPstates_t state, unsigned int *least,
                                                    unsigned int *most)
{
    DEVICE;
    if (!is_clock(type) || state < NVML_PSTATE_0 || state > NVML_PSTATE_15)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (state != NVML_PSTATE_0)
        return NVML_ERROR_NOT_SUPPORTED;
    *least = *most = facet_nvml_clock(record, type);
    return NVML_SUCCESS;
}

/* How busy parts of it are: the multiprocessors, memory, video, the bus. */
nvmlReturn_t facet_nvmlDeviceGetDynamicPstatesInfo(nvmlDevice_t device, nvmlGpuDynamicPstatesInfo_t *info)
{
    enum { PARTS = 4 };
    DEVICE;
    *info = (nvmlGpuDynamicPstatesInfo_t){.flags = 0};
    for (int i = 0; i < PARTS; i++)
        info->utilization[i].bIsPresent = 1;
    info->utilization[0].percentage = facet_nvml_busy_percent();
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetGpcClkVfOffset(nvmlDevice_t device, int *offset)
{
    DEVICE;
    *offset = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetGpcClkMinMaxVfOffset(nvmlDevice_t device, int *least, int *most)
{
    DEVICE;
    *least = *most = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetClockOffsets(nvmlDevice_t device, nvmlClockOffset_v1_t *info)
{
    DEVICE;
    if (info->version != FACET_NVML_VERSION(nvmlClockOffset_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (!is_clock(info->type) || info->pstate < NVML_PSTATE_0 || info->pstate > NVML_PSTATE_15)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (info->pstate != NVML_PSTATE_0)
        return NVML_ERROR_NOT_SUPPORTED;
    info->clockOffsetMHz = info->minClockOffsetMHz = info->maxClockOffsetMHz = 0;
    return NVML_SUCCESS;
}

enum { REASON_IDLE = 1, REASONS = 0x1ff };

nvmlReturn_t facet_nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    DEVICE;
    *reasons = facet_nvml_busy_percent() == 0 ? REASON_IDLE : 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons)
{
    DEVICE;
    *reasons = REASONS;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetAdaptiveClockInfoStatus(nvmlDevice_t device, unsigned int *adaptive)
{
    DEVICE;
    *adaptive = 0;
    return NVML_SUCCESS;
}

/* Nothing has slowed it down. */
nvmlReturn_t facet_nvmlDeviceGetViolationStatus(nvmlDevice_t device, nvmlPerfPolicyType_t policy, nvmlViolationTime_t *time)
{
    DEVICE;
    bool known = (policy >= NVML_PERF_POLICY_POWER && policy <= NVML_PERF_POLICY_RELIABILITY) || policy == NVML_PERF_POLICY_TOTAL_APP_CLOCKS ||
                 policy == NVML_PERF_POLICY_TOTAL_BASE_CLOCKS;
    if (!known)
        return NVML_ERROR_INVALID_ARGUMENT;
    *time = (nvmlViolationTime_t){.referenceTime = facet_nvml_time(), .violationTime = 0};
    return NVML_SUCCESS;
}

static nvmlReturn_t modes(nvmlDevice_t device, const char *format, nvmlDevicePerfModes_v1_t *text)
{
    DEVICE;
    if (text->version != FACET_NVML_VERSION(nvmlDevicePerfModes_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    unsigned graphics = facet_nvml_clock(record, NVML_CLOCK_GRAPHICS), memory = facet_nvml_clock(record, NVML_CLOCK_MEM);
    char line[256];
    snprintf(line, sizeof line, format, graphics, graphics, graphics, memory, memory, memory);
    return facet_nvml_text(line, text->str, sizeof text->str);
}

nvmlReturn_t facet_nvmlDeviceGetPerformanceModes(nvmlDevice_t device, nvmlDevicePerfModes_v1_t *text)
{
    return modes(device, "perf=0, nvclock=%u, nvclockmin=%u, nvclockmax=%u, memclock=%u, memclockmin=%u, memclockmax=%u", text);
}

nvmlReturn_t facet_nvmlDeviceGetCurrentClockFreqs(nvmlDevice_t device, nvmlDevicePerfModes_v1_t *text)
{
    return modes(device, "perf=0, nvclock=%u, nvclockmin=%u, nvclockmax=%u, memclock=%u, memclockmin=%u, memclockmax=%u", text);
}
