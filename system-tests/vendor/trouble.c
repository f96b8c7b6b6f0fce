/* A vendor's driver that goes wrong on purpose: all calls go on to the library "behind.so" in the same folder, but for one, which the file "fault"
 * beside it names: "NAME error", "NAME hang" or "NAME crash", looked at before each call. A process that was begun while there was a file
 * "calm" does nothing wrong. WITHOUT names a call that is missing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNKNOWN = 999 };

static char folder[PATH_MAX];
static void *behind;
static bool calm;

static const char *beside(char *place, const char *name)
{
    snprintf(place, PATH_MAX, "%s/%s", folder, name);
    return place;
}

__attribute__((constructor)) static void begin(void)
{
    char path[PATH_MAX];
    Dl_info here;
    if (dladdr((void *)begin, &here) == 0)
        abort();
    snprintf(folder, sizeof folder, "%s", here.dli_fname);
    *strrchr(folder, '/') = 0;
    behind = dlopen(beside(path, "behind.so"), RTLD_NOW | RTLD_LOCAL);
    calm = access(beside(path, "calm"), F_OK) == 0;
}

/* Whether the call goes wrong. */
static bool trouble(const char *name)
{
    char path[PATH_MAX], wanted[128] = "", kind[16] = "";
    FILE *file = calm ? NULL : fopen(beside(path, "fault"), "r");
    if (file == NULL)
        return false;
    int read = fscanf(file, "%127s %15s", wanted, kind);
    fclose(file);
    if (read != 2 || strcmp(wanted, name) != 0)
        return false;
    while (strcmp(kind, "hang") == 0)
        pause();
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    return true;
}

typedef long word;
typedef int call(word, word, word, word, word, word, word, word, word, word, word);

/* Eleven words are as many as any of them takes; who takes fewer does not look at the rest. */
#define PASS(name)                                                                                    \
    int name(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k); \
    int name(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k)  \
    {                                                                                                 \
        if (trouble(#name))                                                                           \
            return UNKNOWN;                                                                           \
        call *next = (call *)dlsym(behind, #name);                                                    \
        return next == NULL ? UNKNOWN : next(a, b, c, d, e, f, g, h, i, j, k);                        \
    }

#ifndef WITHOUT_MEMORY
PASS(cuMemCreate)
#endif
PASS(cuArray3DCreate_v2)
PASS(cuArrayDestroy)
PASS(cuCtxCreate_v2)
PASS(cuCtxDestroy_v2)
PASS(cuCtxPopCurrent_v2)
PASS(cuCtxSetCurrent)
PASS(cuCtxSetLimit)
PASS(cuCtxSynchronize)
PASS(cuDeviceGet)
PASS(cuDeviceGetAttribute)
PASS(cuDeviceGetCount)
PASS(cuDeviceGetName)
PASS(cuDeviceGetUuid)
PASS(cuDeviceGetUuid_v2)
PASS(cuDeviceTotalMem_v2)
PASS(cuEventCreate)
PASS(cuEventDestroy_v2)
PASS(cuEventElapsedTime)
PASS(cuEventQuery)
PASS(cuEventRecord)
PASS(cuEventSynchronize)
PASS(cuFuncGetAttribute)
PASS(cuFuncSetAttribute)
PASS(cuInit)
PASS(cuLaunchKernel)
PASS(cuLaunchKernelEx)
PASS(cuMemAddressFree)
PASS(cuMemAddressReserve)
PASS(cuMemGetAllocationGranularity)
PASS(cuMemHostRegister_v2)
PASS(cuMemHostUnregister)
PASS(cuMemMap)
PASS(cuMemRelease)
PASS(cuMemSetAccess)
PASS(cuMemUnmap)
PASS(cuMemcpy2DAsync_v2)
PASS(cuMemcpy3DAsync_v2)
PASS(cuMemcpyDtoDAsync_v2)
PASS(cuMemcpyDtoHAsync_v2)
PASS(cuMemcpyHtoDAsync_v2)
PASS(cuMemsetD16Async)
PASS(cuMemsetD32Async)
PASS(cuMemsetD8Async)
PASS(cuMipmappedArrayCreate)
PASS(cuMipmappedArrayDestroy)
PASS(cuMipmappedArrayGetLevel)
PASS(cuModuleGetFunction)
PASS(cuModuleGetGlobal_v2)
PASS(cuModuleLoadDataEx)
PASS(cuModuleUnload)
PASS(cuOccupancyMaxActiveBlocksPerMultiprocessor)
PASS(cuStreamCreate)
PASS(cuStreamDestroy_v2)
PASS(cuStreamQuery)
PASS(cuStreamSynchronize)
PASS(cuStreamWaitEvent)
PASS(cuTexObjectCreate)
PASS(cuTexObjectDestroy)
