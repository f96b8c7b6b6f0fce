/* A vendor's library that goes wrong on purpose, for the tests: libcuda.so.1 and libnvidia-ml.so.1 in one text. FAULT_CALL in the
 * environment names a call, FAULT_KIND what becomes of it: error, hang, crash. With DIVIDED its device is divided by MIG: of three places for
 * instances the one in the middle is empty. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ERROR = 999, DEVICES = 1, INSTANCE = 100 };

static int call(const char *name)
{
    const char *wanted = getenv("FAULT_CALL"), *kind = getenv("FAULT_KIND");
    if (wanted == NULL || kind == NULL || strcmp(wanted, name) != 0)
        return 0;
    if (strcmp(kind, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    return ERROR;
}

/* ---- NVML */

int nvmlInit_v2(void)
{
    return call("nvmlInit_v2");
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = DEVICES;
    return call("nvmlDeviceGetCount_v2");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, uint64_t *device)
{
    *device = index + 1;
    return call("nvmlDeviceGetHandleByIndex_v2");
}

int nvmlDeviceGetMigMode(uint64_t device, unsigned *now, unsigned *pending)
{
    (void)device;
    *now = *pending = getenv("DIVIDED") != NULL;
    return call("nvmlDeviceGetMigMode");
}

int nvmlDeviceGetMaxMigDeviceCount(uint64_t device, unsigned *count)
{
    (void)device;
    *count = 3;
    return call("nvmlDeviceGetMaxMigDeviceCount");
}

int nvmlDeviceGetMigDeviceHandleByIndex(uint64_t device, unsigned index, uint64_t *instance)
{
    (void)device;
    *instance = INSTANCE + index;
    return index == 1 ? ERROR : call("nvmlDeviceGetMigDeviceHandleByIndex");
}

static const char *identity(uint64_t device)
{
    return device == INSTANCE       ? "MIG-a0000000-0000-0000-0000-000000000001"
           : device == INSTANCE + 2 ? "MIG-a0000000-0000-0000-0000-000000000003"
                                    : "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";
}

int nvmlDeviceGetUUID(uint64_t device, char *text, unsigned length)
{
    strncpy(text, identity(device), length);
    return call("nvmlDeviceGetUUID");
}

int nvmlDeviceGetName(uint64_t device, char *text, unsigned length)
{
    (void)device;
    strncpy(text, "Broken", length);
    return call("nvmlDeviceGetName");
}

int nvmlDeviceGetMemoryInfo(uint64_t device, uint64_t *memory)
{
    memory[0] = memory[1] = UINT64_C(1) << (device >= INSTANCE ? 28 : 30);
    memory[2] = 0;
    return call("nvmlDeviceGetMemoryInfo");
}

#ifndef WITHOUT_CUINIT
int cuInit(unsigned flags)
{
    (void)flags;
    return call("cuInit");
}
#endif

/* The device that CUDA shows: of a divided one an instance. NULL when there is none of that name. */
static const char *visible(void)
{
    const char *wanted = getenv("CUDA_VISIBLE_DEVICES");
    for (int i = 0; i < 3 && getenv("DIVIDED") != NULL; i++)
        if (wanted == NULL || strcmp(wanted, identity(INSTANCE + i)) == 0)
            return identity(INSTANCE + i);
    const char *whole = identity(1);
    return wanted == NULL || (getenv("DIVIDED") == NULL && strstr(wanted, whole) != NULL) ? whole : NULL;
}

int cuDeviceGetCount(int *count)
{
    *count = visible() == NULL ? 0 : DEVICES;
    return call("cuDeviceGetCount");
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return call("cuDeviceGet");
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    (void)device;
    const char *digit = visible() + 4;
    for (int i = 0; i < 32; digit++) {
        if (*digit == '-')
            continue;
        unsigned value = (unsigned)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
        uuid[i / 2] = (unsigned char)(i % 2 == 0 ? value << 4 : uuid[i / 2] | value);
        i++;
    }
    return call("cuDeviceGetUuid_v2");
}

int cuDeviceTotalMem_v2(uint64_t *bytes, int device)
{
    (void)device;
    *bytes = UINT64_C(1) << 30;
    return call("cuDeviceTotalMem_v2");
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute;
    return call("cuDeviceGetAttribute");
}
