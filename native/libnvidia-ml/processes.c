/* The processes of the slice: who has a context or memory according to the ledger. Processes of other slices do
 * not exist here. */
#include "management.h"

enum { NO_INSTANCE = -1 }; /* the device is not partitioned */

struct list {
    unsigned count;
    struct {
        unsigned process;
        uint64_t bytes;
    } entries[FACET_LEDGER_SLOTS];
};

/* A process may have several sessions: this library has one of its own. */
static void add(struct list *list, unsigned process, uint64_t bytes)
{
    unsigned i = 0;
    while (i < list->count && list->entries[i].process != process)
        i++;
    if (i == list->count) {
        list->entries[i].process = process;
        list->entries[i].bytes = 0;
        list->count++;
    }
    list->entries[i].bytes += bytes;
}

static void read_ledger(int device, struct list *list)
{
    struct facet_ledger_program program;
    list->count = 0;
    for (uint32_t slot = 0; slot < FACET_LEDGER_SLOTS && facet_ledger_slot(device, slot, &program); slot++)
        if (program.process != 0 && (program.contexts != 0 || program.bytes != 0))
            add(list, program.process, program.bytes);
}

static nvmlReturn_t read_processes(nvmlDevice_t device, unsigned *count, const void *room, struct list *list)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result != NVML_SUCCESS)
        return result;
    read_ledger(ordinal, list);
    unsigned capacity = *count;
    *count = list->count;
    if (capacity < list->count)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    return list->count > 0 && room == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos)
{
    struct list list;
    nvmlReturn_t result = read_processes(device, count, infos, &list);
    for (unsigned i = 0; result == NVML_SUCCESS && i < list.count; i++)
        infos[i] = (nvmlProcessInfo_v1_t){.pid = list.entries[i].process, .usedGpuMemory = list.entries[i].bytes};
    return result;
}

nvmlReturn_t facet_nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos)
{
    struct list list;
    nvmlReturn_t result = read_processes(device, count, infos, &list);
    for (unsigned i = 0; result == NVML_SUCCESS && i < list.count; i++)
        infos[i] = (nvmlProcessInfo_v2_t){.pid = list.entries[i].process,
                                          .usedGpuMemory = list.entries[i].bytes,
                                          .gpuInstanceId = (unsigned)NO_INSTANCE,
                                          .computeInstanceId = (unsigned)NO_INSTANCE};
    return result;
}

/* Nobody draws, and there is no other sharing service. */
static nvmlReturn_t nobody(nvmlDevice_t device, unsigned *count)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result == NVML_SUCCESS)
        *count = 0;
    return result;
}

nvmlReturn_t facet_nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos)
{
    (void)infos;
    return nobody(device, count);
}

nvmlReturn_t facet_nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos)
{
    (void)infos;
    return nobody(device, count);
}

nvmlReturn_t facet_nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v1_t *infos)
{
    (void)infos;
    return nobody(device, count);
}

nvmlReturn_t facet_nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_v2_t *infos)
{
    (void)infos;
    return nobody(device, count);
}

/* One sample of each process: of the last time in which it was busy. Encoders and decoders there are none, and how
 * busy its memory is a software GPU does not know. */
nvmlReturn_t facet_nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *samples, unsigned int *count,
                                                   unsigned long long last_seen)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result != NVML_SUCCESS)
        return result;
    unsigned capacity = samples == NULL ? 0 : *count, found = 0;
    struct facet_ledger_program program;
    for (uint32_t slot = 0; slot < FACET_LEDGER_SLOTS && facet_ledger_slot(ordinal, slot, &program); slot++) {
        if (program.process == 0 || program.time == 0 || program.time <= last_seen)
            continue;
        if (found < capacity)
            samples[found] = (nvmlProcessUtilizationSample_t){.pid = program.process, .timeStamp = program.time, .smUtil = program.percent};
        found++;
    }
    *count = found;
    if (found == 0)
        return NVML_ERROR_NOT_FOUND;
    return found > capacity ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* The same in a struct that knows its version. A count that is too small becomes the right one. */
nvmlReturn_t facet_nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device, nvmlProcessesUtilizationInfo_v1_t *info)
{
    DEVICE;
    if (info->version != FACET_NVML_VERSION(nvmlProcessesUtilizationInfo_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    unsigned capacity = info->procUtilArray == NULL ? 0 : info->processSamplesCount, found = 0;
    struct facet_ledger_program program;
    for (uint32_t slot = 0; slot < FACET_LEDGER_SLOTS && facet_ledger_slot(ordinal, slot, &program); slot++) {
        if (program.process == 0 || program.time == 0 || program.time <= info->lastSeenTimeStamp)
            continue;
        if (found < capacity)
            info->procUtilArray[found] =
                (nvmlProcessUtilizationInfo_v1_t){.pid = program.process, .timeStamp = program.time, .smUtil = program.percent};
        found++;
    }
    info->processSamplesCount = found;
    if (found == 0)
        return NVML_ERROR_NOT_FOUND;
    return found > capacity ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* mode: 0 compute, 1 graphics, 2 of a sharing service; the last two have nobody. */
nvmlReturn_t facet_nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device, nvmlProcessDetailList_v1_t *processes)
{
    enum { COMPUTE = 0, SERVICE = 2 };
    DEVICE;
    if (processes->version != FACET_NVML_VERSION(nvmlProcessDetailList_v1_t, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (processes->mode > SERVICE)
        return NVML_ERROR_INVALID_ARGUMENT;
    struct list list = {.count = 0};
    if (processes->mode == COMPUTE)
        result = read_processes(device, &processes->numProcArrayEntries, processes->procArray, &list);
    else
        processes->numProcArrayEntries = 0;
    for (unsigned i = 0; result == NVML_SUCCESS && i < list.count; i++)
        processes->procArray[i] = (nvmlProcessDetail_v1_t){.pid = list.entries[i].process,
                                                           .usedGpuMemory = list.entries[i].bytes,
                                                           .gpuInstanceId = (unsigned)NO_INSTANCE,
                                                           .computeInstanceId = (unsigned)NO_INSTANCE};
    return result;
}
