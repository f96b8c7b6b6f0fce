/* NVML as tools use it: found while the program runs, asked about the slice. */
/* libraries: none */
#include "check.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

typedef struct nvmlDevice_st *device_t;

struct memory {
    unsigned long long total, free, used;
};

struct memory_2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct process {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
};

struct pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char id_text[32];
};

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7 };

static void *library;

static void *symbol(const char *name)
{
    void *found = dlsym(library, name);
    REQUIRE(found != NULL, "%s is missing", name);
    return found;
}

#define CALL(name, ...) (((int (*)())symbol(name))(__VA_ARGS__))
#define SAME(call, code)                                                       \
    do {                                                                       \
        int got_ = (call);                                                     \
        REQUIRE(got_ == (code), "%s is %d, expected %d", #call, got_, (code)); \
    } while (0)

static void *driver;
static CUdeviceptr pointer;

/* Makes a context as another library of the same process does. */
static void enter(void)
{
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    REQUIRE(driver != NULL, "%s", dlerror());
    CUcontext context;
    REQUIRE(((CUresult(*)(unsigned))dlsym(driver, "cuInit"))(0) == CUDA_SUCCESS, "cuInit");
    REQUIRE(((CUresult(*)(CUcontext *, CUdevice))dlsym(driver, "cuDevicePrimaryCtxRetain"))(&context, 0) == CUDA_SUCCESS, "context");
    REQUIRE(((CUresult(*)(CUcontext))dlsym(driver, "cuCtxSetCurrent"))(context) == CUDA_SUCCESS, "current");
}

static void take(size_t bytes)
{
    REQUIRE(((CUresult(*)(CUdeviceptr *, size_t))dlsym(driver, "cuMemAlloc_v2"))(&pointer, bytes) == CUDA_SUCCESS, "memory");
}

struct sample {
    unsigned pid;
    unsigned long long time;
    unsigned multiprocessors, memory, encoder, decoder;
};

/* The program works until somebody has measured it. */
static void process_utilization(device_t device, size_t bytes)
{
    CUresult (*fill)(CUdeviceptr, unsigned, size_t) = (CUresult(*)(CUdeviceptr, unsigned, size_t))dlsym(driver, "cuMemsetD32_v2");
    struct sample samples[4];
    unsigned count;
    int result = NOT_FOUND;
    time_t end = time(NULL) + 60;
    while (result == NOT_FOUND && time(NULL) < end) {
        for (int i = 0; i < 20; i++)
            REQUIRE(fill(pointer, (unsigned)i, bytes / 4) == CUDA_SUCCESS, "fill");
        count = 0;
        result = CALL("nvmlDeviceGetProcessUtilization", device, NULL, &count, 0ull);
    }
    SAME(result, TOO_SMALL);
    REQUIRE(count == 1, "%u samples", count);
    count = 4;
    SAME(CALL("nvmlDeviceGetProcessUtilization", device, samples, &count, 0ull), OK);
    REQUIRE(count == 1 && samples[0].pid == (unsigned)getpid(), "%u samples, of process %u", count, samples[0].pid);
    REQUIRE(samples[0].multiprocessors <= 100, "%u %%", samples[0].multiprocessors);
    REQUIRE(samples[0].time / 1000000 + 120 > (unsigned long long)time(NULL), "at %llu", samples[0].time);
    count = 4;
    SAME(CALL("nvmlDeviceGetProcessUtilization", device, samples, &count, ~0ull), NOT_FOUND);
}

/* The table that nvidia-smi asks for: its list of processes comes that way alone. */
struct listed {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
    unsigned long long unknown;
    char name[4096];
};

static void as_nvidia_smi(device_t device)
{
    static const unsigned char id[] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e, 0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4}, other[16];
    static struct listed listed[8];
    enum { COMPUTE = 213, SERVICE, GRAPHICS }; /* behind the size */
    int (*const *table)(device_t, unsigned *, struct listed *), (*const *unknown)(device_t, unsigned *, struct listed *);
    unsigned count = 8, none = 8;
    bool found = false;
    SAME(CALL("nvmlInternalGetExportTable", &table, id), OK);
    SAME(CALL("nvmlInternalGetExportTable", &unknown, other), OK);
    SAME(CALL("nvmlInternalGetExportTable", &unknown, NULL), INVALID);
    SAME(table[1](device, NULL, NULL), NOT_SUPPORTED);
    SAME(unknown[COMPUTE](device, &count, listed), NOT_SUPPORTED);
    SAME(table[COMPUTE](device, &count, listed), OK);
    SAME(table[SERVICE](device, &none, listed), OK);
    SAME(table[GRAPHICS](device, &none, listed), OK);
    for (unsigned i = 0; i < count; i++)
        found |= listed[i].pid == (unsigned)getpid() && listed[i].bytes > 0 && strstr(listed[i].name, "management") != NULL;
    REQUIRE(found && none == 0, "%u processes, and this one is not among them", count);
    none = 0;
    SAME(table[COMPUTE](device, &none, listed), TOO_SMALL);
    REQUIRE(none == count, "%u", none);
    SAME(table[COMPUTE](device, NULL, listed), INVALID);
}

int main(void)
{
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL, "%s", dlerror());
    unsigned count = 0, value = 0;
    device_t device, same;
    char text[96], name[96], small[4];
    SAME(CALL("nvmlDeviceGetCount_v2", &count), UNINITIALIZED);
    SAME(CALL("nvmlInit_v2"), OK);
    SAME(CALL("nvmlInit"), OK);
    SAME(CALL("nvmlShutdown"), OK); /* counted */
    SAME(CALL("nvmlDeviceGetCount_v2", &count), OK);
    REQUIRE(count >= 1, "%u devices", count);
    SAME(CALL("nvmlDeviceGetHandleByIndex_v2", 0u, &device), OK);
    SAME(CALL("nvmlDeviceGetHandleByIndex_v2", count, &same), INVALID);
    SAME(CALL("nvmlDeviceGetName", device, name, (unsigned)sizeof name), OK);
    REQUIRE(strlen(name) > 0, "no name");
    SAME(CALL("nvmlDeviceGetName", device, small, (unsigned)sizeof small), TOO_SMALL);
    SAME(CALL("nvmlDeviceGetUUID", device, text, (unsigned)sizeof text), OK);
    REQUIRE(strlen(text) == 40 && strncmp(text, "GPU-", 4) == 0, "UUID %s", text);
    SAME(CALL("nvmlDeviceGetHandleByUUID", text, &same), OK);
    REQUIRE(same == device, "the UUID is another device's");
    SAME(CALL("nvmlDeviceGetHandleByUUID", "GPU-00000000", &same), NOT_FOUND);
    struct pci pci;
    SAME(CALL("nvmlDeviceGetPciInfo_v3", device, &pci), OK);
    SAME(CALL("nvmlDeviceGetHandleByPciBusId_v2", pci.id_text, &same), OK);
    REQUIRE(same == device, "%s is another device", pci.id_text);
    SAME(CALL("nvmlDeviceGetIndex", device, &value), OK);
    REQUIRE(value == 0, "index %u", value);

    struct memory before, after;
    struct memory_2 second = {.version = sizeof second | 2u << 24};
    SAME(CALL("nvmlDeviceGetMemoryInfo", device, &before), OK);
    REQUIRE(before.used + before.free == before.total && before.total > 0, "%llu of %llu", before.used, before.total);
    enter();
    struct process processes[8];
    count = 8;
    SAME(CALL("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, processes), OK);
    REQUIRE(count == 1 && processes[0].pid == (unsigned)getpid(), "%u processes with a context", count);
    take(5 << 20);
    SAME(CALL("nvmlDeviceGetMemoryInfo", device, &after), OK);
    REQUIRE(after.used >= before.used + (5 << 20) && after.total == before.total, "%llu, then %llu", before.used, after.used);
    SAME(CALL("nvmlDeviceGetMemoryInfo_v2", device, &second), OK);
    REQUIRE(second.total == after.total && second.used == after.used, "second version: %llu", second.used);
    count = 0;
    SAME(CALL("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, NULL), TOO_SMALL);
    count = 8;
    SAME(CALL("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, processes), OK);
    REQUIRE(count == 1 && processes[0].pid == (unsigned)getpid(), "%u processes, the first is %u", count, processes[0].pid);
    REQUIRE(processes[0].bytes >= 5 << 20, "%llu bytes", processes[0].bytes);
    count = 8;
    SAME(CALL("nvmlDeviceGetGraphicsRunningProcesses_v3", device, &count, processes), OK);
    REQUIRE(count == 0, "%u processes draw", count);

    as_nvidia_smi(device);

    int major = 0, minor = 0, version = 0;
    SAME(CALL("nvmlDeviceGetCudaComputeCapability", device, &major, &minor), OK);
    REQUIRE(major >= 7, "capability %d.%d", major, minor);
    SAME(CALL("nvmlSystemGetCudaDriverVersion_v2", &version), OK);
    REQUIRE(version >= 12000, "CUDA %d", version);
    SAME(CALL("nvmlSystemGetDriverVersion", text, (unsigned)sizeof text), OK);
    REQUIRE(atoi(text) >= 500, "driver %s", text);
    SAME(CALL("nvmlDeviceGetFanSpeed", device, &value), NOT_SUPPORTED);
    struct {
        unsigned gpu, memory;
    } utilization;
    SAME(CALL("nvmlDeviceGetUtilizationRates", device, &utilization), OK);
    REQUIRE(utilization.gpu <= 100, "%u %% busy", utilization.gpu);
    process_utilization(device, 5 << 20);
    const char *(*describe)(int) = (const char *(*)(int))symbol("nvmlErrorString");
    REQUIRE(strlen(describe(NOT_SUPPORTED)) > 0 && strlen(describe(12345)) > 0, "no texts");
    SAME(CALL("nvmlShutdown"), OK);
    SAME(CALL("nvmlShutdown"), UNINITIALIZED);
    printf("ok %s\n", name);
    return 0;
}
