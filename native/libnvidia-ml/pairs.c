/* What two devices are to each other. */
#include "management.h"

static nvmlReturn_t both(nvmlDevice_t first, nvmlDevice_t second, bool *same)
{
    int one, other;
    const struct facet_device_record *record;
    nvmlReturn_t result = facet_nvml_device(first, &one, &record);
    if (result == NVML_SUCCESS)
        result = facet_nvml_device(second, &other, &record);
    if (result == NVML_SUCCESS)
        *same = one == other;
    return result;
}

/* All software GPUs of a machine use the same memory. */
nvmlReturn_t facet_nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t first, nvmlDevice_t second, nvmlGpuTopologyLevel_t *level)
{
    bool same;
    nvmlReturn_t result = both(first, second, &same);
    if (result == NVML_SUCCESS)
        *level = same ? NVML_TOPOLOGY_INTERNAL : NVML_TOPOLOGY_SYSTEM;
    return result;
}

nvmlReturn_t facet_nvmlDeviceGetP2PStatus(nvmlDevice_t first, nvmlDevice_t second, nvmlGpuP2PCapsIndex_t index, nvmlGpuP2PStatus_t *status)
{
    bool same;
    nvmlReturn_t result = both(first, second, &same);
    if (result != NVML_SUCCESS)
        return result;
    if (same || index < 0 || index >= NVML_P2P_CAPS_INDEX_UNKNOWN)
        return NVML_ERROR_INVALID_ARGUMENT;
    *status = NVML_P2P_STATUS_NOT_SUPPORTED;
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlDeviceOnSameBoard(nvmlDevice_t first, nvmlDevice_t second, int *same_board)
{
    bool same;
    nvmlReturn_t result = both(first, second, &same);
    if (result == NVML_SUCCESS)
        *same_board = same;
    return result;
}
