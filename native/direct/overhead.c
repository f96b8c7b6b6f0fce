#include "overhead.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "slice.h"
#include "vendor.h"

/* Of NVML: its names and layouts since CUDA 11. */
typedef struct nvml_device *nvml_device;

struct nvml_process {
    unsigned int process;
    unsigned long long used;
    unsigned int instance, compute_instance;
};

enum { NVML_DONE = 0, NVML_MORE = 7, MOST_PROCESSES = 1024 };
#define UNKNOWN_BYTES (~0ull)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool tried;
static int (*by_uuid)(const char *uuid, nvml_device *device);
static int (*processes)(nvml_device device, unsigned int *count, struct nvml_process *found);
static uint64_t charged[FACET_VISIBLE_MOST];

static void open_management(void)
{
    char path[PATH_MAX];
    tried = true;
    void *library = facet_vendor_beside("libnvidia-ml.so.1", path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL)
        return;
    int (*start)(void) = (int (*)(void))(uintptr_t)dlsym(library, "nvmlInit_v2");
    if (start == NULL || start() != NVML_DONE)
        return;
    by_uuid = (int (*)(const char *, nvml_device *))(uintptr_t)dlsym(library, "nvmlDeviceGetHandleByUUID");
    processes = (int (*)(nvml_device, unsigned int *, struct nvml_process *))(uintptr_t)dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v3");
    if (processes == NULL)
        processes = (int (*)(nvml_device, unsigned int *, struct nvml_process *))(uintptr_t)dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v2");
}

static void name_of(int device, char *text, size_t bytes)
{
    const uint8_t *id = facet_device(device)->uuid;
    snprintf(text, bytes, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", id[0], id[1], id[2], id[3], id[4], id[5], id[6],
             id[7], id[8], id[9], id[10], id[11], id[12], id[13], id[14], id[15]);
}

/* Bytes of the device that this process has in all. False: NVML does not tell, as in containers that number processes otherwise. */
static bool total_of(int device, uint64_t *bytes)
{
    static struct nvml_process found[MOST_PROCESSES];
    char uuid[64];
    nvml_device handle;
    unsigned int count = MOST_PROCESSES;
    if (!tried)
        open_management();
    if (by_uuid == NULL || processes == NULL)
        return false;
    name_of(device, uuid, sizeof uuid);
    if (by_uuid(uuid, &handle) != NVML_DONE || processes(handle, &count, found) != NVML_DONE)
        return false;
    bool told = false;
    *bytes = 0;
    for (unsigned int i = 0; i < count && i < MOST_PROCESSES; i++)
        if (found[i].process == (unsigned int)getpid() && found[i].used != UNKNOWN_BYTES) {
            *bytes += found[i].used;
            told = true;
        }
    return told;
}

CUresult facet_overhead_settle(int device, bool undoable)
{
    CUresult result = CUDA_SUCCESS;
    uint64_t total;
    pthread_mutex_lock(&lock);
    if (total_of(device, &total)) {
        uint64_t others = facet_ledger_own(device);
        others = others > charged[device] ? others - charged[device] : 0;
        uint64_t own = total > others ? facet_slice_rounded(total - others) : 0;
        if (own < charged[device]) {
            facet_slice_give(device, charged[device] - own);
        } else if (own > charged[device]) {
            result = facet_slice_take(device, own - charged[device]);
            if (result == CUDA_ERROR_OUT_OF_MEMORY && !undoable)
                facet_ledger_force(device, own - charged[device]);
        }
        if (result == CUDA_SUCCESS || !undoable)
            charged[device] = own;
    }
    pthread_mutex_unlock(&lock);
    return undoable ? result : CUDA_SUCCESS;
}

void facet_overhead_forget(void)
{
    pthread_mutex_init(&lock, NULL);
    memset(charged, 0, sizeof charged);
}
