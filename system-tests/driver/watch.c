/* Prints what a monitor sees of its slice: percent busy, bytes in use, processes. Not a test by itself. */
/* role: helper */
/* libraries: libnvidia-ml.so.1 */
#include <stdio.h>
#include <unistd.h>

typedef struct nvmlDevice_st *device_t;

struct process {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
};

int nvmlInit_v2(void);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, device_t *device);
int nvmlDeviceGetUtilizationRates(device_t device, unsigned *percents);
int nvmlDeviceGetMemoryInfo(device_t device, unsigned long long *figures);
int nvmlDeviceGetComputeRunningProcesses_v3(device_t device, unsigned *count, struct process *processes);

int main(void)
{
    device_t device;
    unsigned percents[2], count = 64;
    unsigned long long memory[3];
    struct process processes[64];
    if (nvmlInit_v2() != 0 || nvmlDeviceGetHandleByIndex_v2(0, &device) != 0)
        return 1;
    /* The first look begins to measure; the daemon tells five times a second. */
    if (nvmlDeviceGetUtilizationRates(device, percents) != 0)
        return 2;
    usleep(1000000);
    if (nvmlDeviceGetUtilizationRates(device, percents) != 0 || nvmlDeviceGetMemoryInfo(device, memory) != 0 ||
        nvmlDeviceGetComputeRunningProcesses_v3(device, &count, processes) != 0)
        return 3;
    printf("%u %llu", percents[0], memory[2]);
    for (unsigned i = 0; i < count; i++)
        printf(" %u", processes[i].pid);
    printf("\n");
    return 0;
}
