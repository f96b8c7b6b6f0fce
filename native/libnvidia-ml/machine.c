/* The machine around the devices: who is near, and what it has none of. */
#include <sched.h>
#include <string.h>

#include "management.h"

enum { BITS = 8 * sizeof(unsigned long) };

/* All processors that this process may use are as near as any: the device is made of them. */
nvmlReturn_t facet_nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int words, unsigned long *set)
{
    DEVICE;
    cpu_set_t processors;
    if (words == 0)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
        return NVML_ERROR_UNKNOWN;
    for (unsigned i = 0; i < words; i++)
        set[i] = 0;
    for (unsigned i = 0; i < CPU_SETSIZE && i / BITS < words; i++)
        if (CPU_ISSET(i, &processors))
            set[i / BITS] |= 1ul << i % BITS;
    return NVML_SUCCESS;
}

static bool is_scope(nvmlAffinityScope_t scope)
{
    return scope <= 1; /* node, socket */
}

nvmlReturn_t facet_nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned int words, unsigned long *set, nvmlAffinityScope_t scope)
{
    return is_scope(scope) ? facet_nvmlDeviceGetCpuAffinity(device, words, set) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t facet_nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned int words, unsigned long *nodes, nvmlAffinityScope_t scope)
{
    DEVICE;
    if (words == 0 || !is_scope(scope))
        return NVML_ERROR_INVALID_ARGUMENT;
    for (unsigned i = 0; i < words; i++)
        nodes[i] = i == 0;
    return NVML_SUCCESS;
}

/* The calling thread is near already, wherever it is. */
nvmlReturn_t facet_nvmlDeviceSetCpuAffinity(nvmlDevice_t device)
{
    DEVICE;
    return NVML_SUCCESS;
}

/* Fills in devices, those that differ from `but`. */
static nvmlReturn_t list(int but, unsigned *count, nvmlDevice_t *devices)
{
    unsigned room = devices == NULL ? 0 : *count, found = 0;
    for (int i = 0; i < facet_device_count(); i++) {
        if (i == but)
            continue;
        if (found < room)
            devices[found] = facet_nvml_handle(i);
        found++;
    }
    *count = found;
    return devices != NULL && found > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* All of them have the machine in common, and nothing nearer. */
nvmlReturn_t facet_nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level, unsigned int *count, nvmlDevice_t *devices)
{
    DEVICE;
    if (level == NVML_TOPOLOGY_SYSTEM)
        return list(ordinal, count, devices);
    if (level < NVML_TOPOLOGY_INTERNAL || level > NVML_TOPOLOGY_SYSTEM)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlSystemGetTopologyGpuSet(unsigned int processor, unsigned int *count, nvmlDevice_t *devices)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    return processor < CPU_SETSIZE ? list(-1, count, devices) : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t none(unsigned *count)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready == NVML_SUCCESS)
        *count = 0;
    return ready;
}

nvmlReturn_t facet_nvmlUnitGetCount(unsigned int *count)
{
    return none(count);
}

nvmlReturn_t facet_nvmlGetExcludedDeviceCount(unsigned int *count)
{
    return none(count);
}

nvmlReturn_t facet_nvmlSystemGetHicVersion(unsigned int *count, void *entries)
{
    (void)entries;
    return none(count);
}

nvmlReturn_t facet_nvmlSystemGetConfComputeGpusReadyState(unsigned int *ready)
{
    return none(ready);
}

nvmlReturn_t facet_nvmlSystemGetConfComputeCapabilities(nvmlConfComputeSystemCaps_t *capabilities)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready == NVML_SUCCESS)
        *capabilities = (nvmlConfComputeSystemCaps_t){.cpuCaps = 0, .gpusCaps = 0};
    return ready;
}

nvmlReturn_t facet_nvmlSystemGetConfComputeState(nvmlConfComputeSystemState_t *state)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready == NVML_SUCCESS)
        *state = (nvmlConfComputeSystemState_t){.environment = 0};
    return ready;
}

nvmlReturn_t facet_nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_v1_t *info, unsigned int length)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    if (info->version != FACET_NVML_VERSION(nvmlSystemDriverBranchInfo_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    return facet_nvml_text("r580_00", info->branch, length < sizeof info->branch ? length : sizeof info->branch);
}
