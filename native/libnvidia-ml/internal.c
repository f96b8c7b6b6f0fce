/* The vendor's nvidia-smi asks its NVML for tables of functions that are their own agreement, by ids that are no part of any API. It
 * ends when it gets none. It gets ones in which every function says that it is not supported, which it takes for an answer, but
 * for those that list processes: there is no public call that it would ask instead. As 535 and 550 have it. */
#include <stdio.h>

#include "management.h"

enum { FUNCTIONS = 511, COMPUTE = 212, SERVICE, GRAPHICS };

/* A process, as nvidia-smi prints it. */
struct listed {
    unsigned process;
    unsigned long long bytes;
    unsigned instance, part; /* none: all bits set */
    unsigned long long unknown;
    char name[4096];
};

/* They take all kinds of arguments; those that say that they are not supported look at none. */
typedef nvmlReturn_t function(nvmlDevice_t device, unsigned *count, struct listed *processes);

struct table {
    size_t bytes; /* of all of it */
    function *functions[FUNCTIONS];
};

_Static_assert(sizeof(struct listed) == 0x1020, "what nvidia-smi has room for");

static nvmlReturn_t not_supported(nvmlDevice_t device, unsigned *count, struct listed *processes)
{
    (void)device;
    (void)count;
    (void)processes;
    return NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t list_compute(nvmlDevice_t device, unsigned *count, struct listed *processes)
{
    nvmlProcessInfo_v2_t infos[FACET_LEDGER_SLOTS];
    unsigned found = FACET_LEDGER_SLOTS;
    if (count == NULL || processes == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t result = facet_nvmlDeviceGetComputeRunningProcesses_v3(device, &found, infos);
    if (result != NVML_SUCCESS)
        return result;
    for (unsigned i = 0; i < found && i < *count; i++) {
        processes[i] = (struct listed){
            .process = infos[i].pid, .bytes = infos[i].usedGpuMemory, .instance = infos[i].gpuInstanceId, .part = infos[i].computeInstanceId};
        if (facet_nvmlSystemGetProcessName(infos[i].pid, processes[i].name, sizeof processes[i].name) != NVML_SUCCESS)
            snprintf(processes[i].name, sizeof processes[i].name, "-"); /* it has ended, or is in another container */
    }
    result = found > *count ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
    *count = found;
    return result;
}

static nvmlReturn_t list_nobody(nvmlDevice_t device, unsigned *count, struct listed *processes)
{
    (void)device;
    (void)processes;
    if (count == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = 0;
    return NVML_SUCCESS;
}

/* Of the table with everything that nvidia-smi shows. */
static const unsigned char main_id[] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e, 0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};
static struct table main_table, other_table;

static void fill(void)
{
    main_table.bytes = other_table.bytes = sizeof main_table;
    for (int i = 0; i < FUNCTIONS; i++)
        main_table.functions[i] = other_table.functions[i] = not_supported;
    main_table.functions[COMPUTE] = list_compute;
    main_table.functions[SERVICE] = list_nobody;
    main_table.functions[GRAPHICS] = list_nobody;
}

nvmlReturn_t facet_nvmlInternalGetExportTable(const void **found, const void *id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (id == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    pthread_once(&once, fill);
    *found = memcmp(id, main_id, sizeof main_id) == 0 ? &main_table : &other_table;
    return NVML_SUCCESS;
}
