/* Many values in one call: fields by number, and samples of what changes. */
#include "management.h"

/* NVML_FI_DEV_...; what a device of this kind answers. Others it does not have. */
enum field {
    ECC_CURRENT = 1,
    ECC_PENDING = 2,
    RETIRED_FIRST = 29,
    RETIRED_LAST = 31,
    POLICY_FIRST = 74, /* nanoseconds for which something has slowed it down */
    POLICY_LAST = 81,
    ENERGY = 83,
    LINKS = 91,
    RETIRED_PENDING_FIRST = 92,
    RETIRED_PENDING_LAST = 93,
    REPLAYS = 94,
    REPLAY_ROLLOVERS = 95,
    REMAPPED_FIRST = 142,
    REMAPPED_LAST = 145,
    SWITCH_LINKS = 147,
    BUS_ERRORS_FIRST = 173,
    BUS_ERRORS_LAST = 183,
    RESETLESS_PARTITIONS = 184,
    POWER_AVERAGE = 185,
    POWER_INSTANT = 186,
    POWER_LEAST = 187,
    POWER_MOST = 188,
    POWER_USUAL = 189,
    POWER_LIMIT = 190,
    ENERGY_AGAIN = 191,
    POWER_REQUESTED = 192,
    SHUTDOWN_MARGIN = 193,
    SLOWDOWN_MARGIN = 194,
    MEMORY_MARGIN = 195,
    GPU_MARGIN = 196,
    BUS_SENT = 197,
    BUS_RECEIVED = 198,
};

static bool is_zero(unsigned field)
{
    return field == ECC_CURRENT || field == ECC_PENDING || (field >= RETIRED_FIRST && field <= RETIRED_LAST) || field == LINKS ||
           field == RETIRED_PENDING_FIRST || field == RETIRED_PENDING_LAST || field == REPLAYS || field == REPLAY_ROLLOVERS ||
           (field >= REMAPPED_FIRST && field <= REMAPPED_LAST) || field == SWITCH_LINKS || (field >= BUS_ERRORS_FIRST && field <= BUS_ERRORS_LAST) ||
           field == RESETLESS_PARTITIONS;
}

static nvmlReturn_t number(nvmlFieldValue_t *value, unsigned number)
{
    value->valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
    value->value.uiVal = number;
    return NVML_SUCCESS;
}

static nvmlReturn_t large(nvmlFieldValue_t *value, unsigned long long number)
{
    value->valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
    value->value.ullVal = number;
    return NVML_SUCCESS;
}

static nvmlReturn_t margin(nvmlFieldValue_t *value, int degrees)
{
    value->valueType = NVML_VALUE_TYPE_SIGNED_INT;
    value->value.siVal = FACET_NVML_SLOWDOWN_DEGREES - degrees;
    return NVML_SUCCESS;
}

static nvmlReturn_t read_field(nvmlFieldValue_t *value)
{
    unsigned field = value->fieldId;
    if (is_zero(field))
        return number(value, 0);
    if (field >= POLICY_FIRST && field <= POLICY_LAST)
        return large(value, 0);
    switch (field) {
    case ENERGY:
    case ENERGY_AGAIN:
        return large(value, facet_nvml_energy());
    case POWER_AVERAGE:
    case POWER_INSTANT:
        return number(value, facet_nvml_power());
    case POWER_LEAST:
        return number(value, FACET_NVML_LEAST_MILLIWATTS);
    case POWER_MOST:
    case POWER_USUAL:
    case POWER_LIMIT:
    case POWER_REQUESTED:
        return number(value, FACET_NVML_MOST_MILLIWATTS);
    case SHUTDOWN_MARGIN:
        return margin(value, FACET_NVML_SHUTDOWN_DEGREES);
    case SLOWDOWN_MARGIN:
        return margin(value, FACET_NVML_SLOWDOWN_DEGREES);
    case MEMORY_MARGIN:
    case GPU_MARGIN:
        return margin(value, FACET_NVML_MOST_DEGREES);
    case BUS_SENT:
    case BUS_RECEIVED:
        return large(value, 0);
    default:
        return NVML_ERROR_NOT_SUPPORTED;
    }
}

/* Each field says for itself whether there is such a thing. */
nvmlReturn_t facet_nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    DEVICE;
    if (count <= 0)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < count; i++) {
        nvmlFieldValue_t *value = &values[i];
        value->value.ullVal = 0;
        value->valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
        value->timestamp = (long long)facet_nvml_time();
        value->latencyUsec = 0;
        value->nvmlReturn = read_field(value);
    }
    return NVML_SUCCESS;
}

/* One sample: of now. */
nvmlReturn_t facet_nvmlDeviceGetSamples(nvmlDevice_t device, nvmlSamplingType_t type, unsigned long long last_seen, nvmlValueType_t *value_type,
                                        unsigned int *count, nvmlSample_t *samples)
{
    DEVICE;
    unsigned value = 0;
    switch (type) {
    case NVML_TOTAL_POWER_SAMPLES:
        value = facet_nvml_power();
        break;
    case NVML_GPU_UTILIZATION_SAMPLES:
        value = facet_nvml_busy_percent();
        break;
    case NVML_PROCESSOR_CLK_SAMPLES:
        value = facet_nvml_clock(record, NVML_CLOCK_SM);
        break;
    case NVML_MEMORY_CLK_SAMPLES:
        value = facet_nvml_clock(record, NVML_CLOCK_MEM);
        break;
    case NVML_MEMORY_UTILIZATION_SAMPLES:
    case NVML_ENC_UTILIZATION_SAMPLES:
    case NVML_DEC_UTILIZATION_SAMPLES:
    case NVML_JPG_UTILIZATION_SAMPLES:
    case NVML_OFA_UTILIZATION_SAMPLES:
        break;
    default:
        return type == NVML_MODULE_POWER_SAMPLES ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    }
    unsigned long long now = facet_nvml_time();
    if (last_seen >= now)
        return NVML_ERROR_NOT_FOUND;
    *value_type = NVML_VALUE_TYPE_UNSIGNED_INT;
    unsigned room = *count;
    *count = 1;
    if (samples == NULL)
        return NVML_SUCCESS;
    if (room == 0)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    samples[0] = (nvmlSample_t){.timeStamp = now, .sampleValue = {.ullVal = value}};
    return NVML_SUCCESS;
}
