/* NVML as a slice sees itself: its devices, its memory, its processes.
 *
 * The library has a session of its own, apart from that of libcuda: programs watch the GPU before they
 * fork and use it in their children. */
#ifndef FACET_MANAGEMENT_H
#define FACET_MANAGEMENT_H

#include "client.h"
#include "facet_nvml.h"

/* NVML_SUCCESS between nvmlInit and nvmlShutdown, as long as the daemon lives. */
nvmlReturn_t facet_nvml_ready(void);
/* The device behind a handle; says why when there is none. */
nvmlReturn_t facet_nvml_device(nvmlDevice_t handle, int *ordinal, const struct facet_device_record **record);
/* The handle of a device that is there. */
nvmlDevice_t facet_nvml_handle(int ordinal);
/* What the first member of a struct says when it is of this type and version. */
#define FACET_NVML_VERSION(type, number) ((unsigned)(sizeof(type) | (number) << 24))
/* Percent of what the slice may use that it has used lately; 0 where that is not measured. */
unsigned facet_nvml_busy_percent(void);
/* Microseconds since 1970, which NVML calls a time stamp. */
unsigned long long facet_nvml_time(void);
/* Begins a call about `device`: declares ordinal and record. */
#define DEVICE                                                          \
    int ordinal;                                                        \
    const struct facet_device_record *record;                           \
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record); \
    (void)ordinal;                                                      \
    (void)record;                                                       \
    if (result != NVML_SUCCESS)                                         \
    return result

/* power.c: milliwatts, millijoules since the machine was started, degrees. */
unsigned facet_nvml_power(void);
unsigned long long facet_nvml_energy(void);
int facet_nvml_temperature(void);
/* clocks.c: megahertz. */
unsigned facet_nvml_clock(const struct facet_device_record *record, nvmlClockType_t type);

/* What stands for a device that is not there in silicon: typical of its kind, and constant. docs/nvml.md */
enum {
    FACET_NVML_IDLE_MILLIWATTS = 25000,
    FACET_NVML_LEAST_MILLIWATTS = 100000,
    FACET_NVML_MOST_MILLIWATTS = 250000,
    FACET_NVML_IDLE_DEGREES = 32,
    FACET_NVML_BUSY_DEGREES = 64,
    FACET_NVML_MOST_DEGREES = 87,
    FACET_NVML_SLOWDOWN_DEGREES = 92,
    FACET_NVML_SHUTDOWN_DEGREES = 97,
};

/* Copies a text with its end, or says that it does not fit. */
nvmlReturn_t facet_nvml_text(const char *text, char *to, unsigned int length);

#endif
