/* A vendor's library that goes wrong on purpose, for the tests: libcuda.so.1 and libnvidia-ml.so.1 in one text. FAULT_CALL in the
 * environment names a call, FAULT_KIND what becomes of it: error, hang, crash. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ERROR = 999, DEVICES = 1 };

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

int nvmlDeviceGetUUID(uint64_t device, char *text, unsigned length)
{
    (void)device;
    strncpy(text, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f", length);
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
    (void)device;
    memory[0] = memory[1] = UINT64_C(1) << 30;
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

int cuDeviceGetCount(int *count)
{
    *count = DEVICES;
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
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)i;
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
