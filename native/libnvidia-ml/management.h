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
/* Copies a text with its end, or says that it does not fit. */
nvmlReturn_t facet_nvml_text(const char *text, char *to, unsigned int length);

#endif
