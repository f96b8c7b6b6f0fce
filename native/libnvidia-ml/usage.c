/* How much of the slice is in use: its memory from the ledger, its device time. */
#include <time.h>

#include "management.h"

static nvmlReturn_t memory_of(nvmlDevice_t device, uint64_t *total, uint64_t *used)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result != NVML_SUCCESS)
        return result;
    facet_ledger_read(ordinal, total, used);
    /* Sessions add before they look whether it fits. */
    if (*used > *total)
        *used = *total;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    uint64_t total, used;
    nvmlReturn_t result = memory_of(device, &total, &used);
    if (result == NVML_SUCCESS)
        *memory = (nvmlMemory_t){.total = total, .free = total - used, .used = used};
    return result;
}

nvmlReturn_t facet_nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    const unsigned version = sizeof *memory | 2u << 24;
    uint64_t total, used;
    nvmlReturn_t result = memory_of(device, &total, &used);
    if (result != NVML_SUCCESS)
        return result;
    if (memory->version != version)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    *memory = (nvmlMemory_v2_t){.version = version, .total = total, .free = total - used, .used = used};
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *memory)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    (void)memory;
    return result == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : result;
}

/* ---- utilization: device time that passed since the last look */

enum { LEAST_NANOSECONDS = 50000000 }; /* between two looks; below it the last answer is given again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_time, last_busy;
static unsigned percent;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void look(void)
{
    uint64_t time = now(), busy = facet_ledger_busy();
    if (last_time == 0) {
        /* The first look of the process has nothing to compare with. */
        last_time = time;
        last_busy = busy;
        nanosleep(&(struct timespec){.tv_nsec = LEAST_NANOSECONDS}, NULL);
        time = now();
        busy = facet_ledger_busy();
    }
    if (time - last_time >= LEAST_NANOSECONDS) {
        uint64_t share = (busy - last_busy) * 100 / (time - last_time);
        percent = share > 100 ? 100 : (unsigned)share;
        last_time = time;
        last_busy = busy;
    }
}

/* How busy its memory is a software GPU does not know. */
nvmlReturn_t facet_nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization)
{
    int ordinal;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(device, &ordinal, &record);
    if (result != NVML_SUCCESS)
        return result;
    if (facet_ledger_busy() == 0)
        return NVML_ERROR_NOT_SUPPORTED;
    pthread_mutex_lock(&lock);
    look();
    *utilization = (nvmlUtilization_t){.gpu = percent, .memory = 0};
    pthread_mutex_unlock(&lock);
    return NVML_SUCCESS;
}
