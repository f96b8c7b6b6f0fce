/* The direct engine's libnvidia-ml.so.1: memory as the slice has it. Everything else is the vendor's own: this library needs one that was written for the
 * vendor's file (stubs.h), and the dynamic linker finds there what is not here. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client.h"
#include "facet_nvml.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT nvmlReturn_t nvmlInit(void);
EXPORT nvmlReturn_t nvmlInit_v2(void);
EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned int flags);
EXPORT nvmlReturn_t nvmlShutdown(void);
EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory);
EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory);

/* The next one behind ours. */
static void *vendors(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* The slice's number of a device; -1: it is not the slice's, or the slice is not there. */
static int number_of(nvmlDevice_t device)
{
    nvmlReturn_t (*tell)(nvmlDevice_t, char *, unsigned int) =
        (nvmlReturn_t(*)(nvmlDevice_t, char *, unsigned int))(uintptr_t)vendors("nvmlDeviceGetUUID");
    char uuid[128];
    facet_session_variable = "FACET_DIRECT_SOCKET";
    if (tell == NULL || facet_session_open(NULL) != CUDA_SUCCESS || tell(device, uuid, sizeof uuid) != NVML_SUCCESS)
        return -1;
    for (int i = 0; i < facet_device_count(); i++) {
        const uint8_t *id = facet_device(i)->uuid;
        char own[128];
        snprintf(own, sizeof own, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", id[0], id[1], id[2], id[3], id[4], id[5],
                 id[6], id[7], id[8], id[9], id[10], id[11], id[12], id[13], id[14], id[15]);
        const char *digits = strchr(uuid, '-');
        if (digits != NULL && strcmp(digits + 1, own) == 0)
            return i;
    }
    return -1;
}

/* How often the program has begun: the engine's libcuda has begun too, in the same process, and the vendor counts both. */
static long begun;

static nvmlReturn_t began(nvmlReturn_t result)
{
    if (result == NVML_SUCCESS)
        __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
    return result;
}

EXPORT nvmlReturn_t nvmlInit_v2(void)
{
    nvmlReturn_t (*begin)(void) = (nvmlReturn_t(*)(void))(uintptr_t)vendors("nvmlInit_v2");
    return begin == NULL ? NVML_ERROR_LIBRARY_NOT_FOUND : began(begin());
}

EXPORT nvmlReturn_t nvmlInit(void)
{
    return nvmlInit_v2();
}

EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    nvmlReturn_t (*begin)(unsigned int) = (nvmlReturn_t(*)(unsigned int))(uintptr_t)vendors("nvmlInitWithFlags");
    return begin == NULL ? NVML_ERROR_LIBRARY_NOT_FOUND : began(begin(flags));
}

EXPORT nvmlReturn_t nvmlShutdown(void)
{
    nvmlReturn_t (*end)(void) = (nvmlReturn_t(*)(void))(uintptr_t)vendors("nvmlShutdown");
    long before = __atomic_load_n(&begun, __ATOMIC_SEQ_CST);
    while (before > 0 && !__atomic_compare_exchange_n(&begun, &before, before - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return end == NULL || before <= 0 ? NVML_ERROR_UNINITIALIZED : end();
}

/* What of the vendor's answer is the slice's. Fails where nobody knows what the slice has, rather than telling the whole device. */
static nvmlReturn_t of_slice(nvmlDevice_t device, unsigned long long *total, unsigned long long *left, unsigned long long *used)
{
    int number = number_of(device);
    if (number < 0)
        return NVML_ERROR_NO_PERMISSION;
    uint64_t limit, taken;
    facet_ledger_read(number, &limit, &taken);
    if (limit < *total)
        *total = limit;
    uint64_t rest = *total > taken ? *total - taken : 0;
    if (rest < *left)
        *left = rest;
    *used = *total - *left;
    return NVML_SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    nvmlReturn_t (*tell)(nvmlDevice_t, nvmlMemory_t *) = (nvmlReturn_t(*)(nvmlDevice_t, nvmlMemory_t *))(uintptr_t)vendors("nvmlDeviceGetMemoryInfo");
    nvmlReturn_t result = tell == NULL ? NVML_ERROR_FUNCTION_NOT_FOUND : tell(device, memory);
    return result != NVML_SUCCESS ? result : of_slice(device, &memory->total, &memory->free, &memory->used);
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlReturn_t (*tell)(nvmlDevice_t, nvmlMemory_v2_t *) =
        (nvmlReturn_t(*)(nvmlDevice_t, nvmlMemory_v2_t *))(uintptr_t)vendors("nvmlDeviceGetMemoryInfo_v2");
    nvmlReturn_t result = tell == NULL ? NVML_ERROR_FUNCTION_NOT_FOUND : tell(device, memory);
    if (result != NVML_SUCCESS)
        return result;
    memory->reserved = 0; /* what the driver keeps is not the slice's */
    return of_slice(device, &memory->total, &memory->free, &memory->used);
}
