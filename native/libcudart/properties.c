/* cudaGetDeviceProperties and cudaChooseDevice, for each layout. */
#include <limits.h>
#include <string.h>

#include "runtime.h"

struct property {
    int16_t offset[3]; /* in the layouts of 11, 12, 13; -1: not there */
    uint8_t bytes;     /* of one value */
    uint8_t count;
    int16_t attribute;
};

enum { LAYOUT_11, LAYOUT_12, LAYOUT_13 };

/* The offset, or the -1 behind it where the version lacks the field. */
#define FIRST_OF(value, ...) value
#define FIRST(...) FIRST_OF(__VA_ARGS__)
#define OFFSET(number, versions, field) FIRST(FACET_IN_##number##_##versions(offsetof(struct cudaDeviceProp_##number, field), ) - 1, 0)
#define ONE(versions, type, field, attribute) \
    {{OFFSET(11, versions, field), OFFSET(12, versions, field), OFFSET(13, versions, field)}, sizeof(type), 1, attribute},
#define MORE(versions, field, count, attribute) \
    {{OFFSET(11, versions, field), OFFSET(12, versions, field), OFFSET(13, versions, field)}, sizeof(int), count, attribute},

static const struct property properties[] = {FACET_PROPERTIES(ONE, MORE)};

struct start {
    FACET_PROPERTIES_START
};

static void store(char *place, uint8_t bytes, int value)
{
    if (bytes == sizeof(size_t)) {
        size_t wide = (size_t)(unsigned)value;
        memcpy(place, &wide, sizeof wide);
    } else {
        memcpy(place, &value, sizeof value);
    }
}

static cudaError_t fill(void *layout, int which, size_t bytes, int device)
{
    if (layout == NULL)
        return cudaErrorInvalidValue;
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    if (error != cudaSuccess)
        return error;
    memset(layout, 0, bytes);
    struct start *start = layout;
    CUresult result = cuDeviceGetName(start->name, sizeof start->name, handle);
    if (result == CUDA_SUCCESS)
        result = cuDeviceGetUuid_v2((void *)&start->uuid, handle);
    if (result == CUDA_SUCCESS)
        result = cuDeviceTotalMem_v2(&start->totalGlobalMem, handle);
    for (size_t i = 0; i < sizeof properties / sizeof *properties && result == CUDA_SUCCESS; i++) {
        const struct property *property = &properties[i];
        if (property->offset[which] < 0)
            continue;
        char *place = (char *)layout + property->offset[which];
        for (int k = 0; k < property->count; k++) {
            int value = 0;
            /* A driver may not know the newest attributes; their fields stay 0. */
            if (cuDeviceGetAttribute(&value, property->attribute + k, handle) == CUDA_SUCCESS)
                store(place + k * property->bytes, property->bytes, value);
        }
    }
    return facet_error(result);
}

cudaError_t facet_cudaGetDeviceProperties_11(struct cudaDeviceProp_11 *layout, int device)
{
    return facet_latch(fill(layout, LAYOUT_11, sizeof *layout, device));
}

cudaError_t facet_cudaGetDeviceProperties_12(struct cudaDeviceProp_12 *layout, int device)
{
    return facet_latch(fill(layout, LAYOUT_12, sizeof *layout, device));
}

cudaError_t facet_cudaGetDeviceProperties_13(struct cudaDeviceProp_13 *layout, int device)
{
    return facet_latch(fill(layout, LAYOUT_13, sizeof *layout, device));
}

/* The device that comes nearest: enough memory counts most, then compute capability. A wish of 0 is none. */
static cudaError_t choose(int *device, size_t memory, int major, int minor)
{
    int count = 0;
    cudaError_t error = facet_device_count(&count);
    if (error != cudaSuccess)
        return error;
    int best = 0;
    int best_score = INT_MIN;
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp_13 found;
        error = fill(&found, LAYOUT_13, sizeof found, i);
        if (error != cudaSuccess)
            return error;
        int score = 0;
        if (found.totalGlobalMem >= memory)
            score += 2;
        if (found.major > major || (found.major == major && found.minor >= minor))
            score += 1;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    *device = best;
    return cudaSuccess;
}

cudaError_t facet_cudaChooseDevice_12(int *device, const struct cudaDeviceProp_12 *wish)
{
    if (device == NULL || wish == NULL)
        return facet_latch(cudaErrorInvalidValue);
    return facet_latch(choose(device, wish->totalGlobalMem, wish->major, wish->minor));
}

cudaError_t facet_cudaChooseDevice_13(int *device, const struct cudaDeviceProp_13 *wish)
{
    if (device == NULL || wish == NULL)
        return facet_latch(cudaErrorInvalidValue);
    return facet_latch(choose(device, wish->totalGlobalMem, wish->major, wish->minor));
}
