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

/* ---- utilization: device time that passed since the last look */

enum { LEAST_NANOSECONDS = 300000000 }; /* between two looks; below it the last answer is given again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_time, last_busy;
static unsigned percent;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

enum { RECENT_MICROSECONDS = 2000000 };

/* What the programs of the slice have used when they were last measured, if that is not long ago. */
static unsigned recent_percent(void)
{
    unsigned long long since = facet_nvml_time() - RECENT_MICROSECONDS;
    unsigned most = 0;
    for (int device = 0; device < facet_device_count(); device++) {
        struct facet_ledger_program program;
        unsigned sum = 0;
        for (uint32_t slot = 0; slot < FACET_LEDGER_SLOTS && facet_ledger_slot(device, slot, &program); slot++)
            if (program.process != 0 && program.time > since)
                sum += program.percent;
        most = sum > most ? sum : most;
    }
    return most > 100 ? 100 : most;
}

static void look(void)
{
    uint64_t time = now(), busy = facet_ledger_busy();
    if (last_time == 0) {
        /* The first look of the process has nothing to compare with. */
        last_time = time;
        last_busy = busy;
        percent = recent_percent();
    }
    if (time - last_time >= LEAST_NANOSECONDS) {
        uint64_t share = (busy - last_busy) * 100 / (time - last_time);
        percent = share > 100 ? 100 : (unsigned)share;
        last_time = time;
        last_busy = busy;
    }
}

unsigned facet_nvml_busy_percent(void)
{
    if (facet_ledger_busy() == 0)
        return 0;
    pthread_mutex_lock(&lock);
    look();
    unsigned now_percent = percent;
    pthread_mutex_unlock(&lock);
    return now_percent;
}

unsigned long long facet_nvml_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (unsigned long long)time.tv_sec * 1000000u + (unsigned long long)time.tv_nsec / 1000u;
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
    *utilization = (nvmlUtilization_t){.gpu = facet_nvml_busy_percent(), .memory = 0};
    return NVML_SUCCESS;
}
