/* CUDA, and names of processes. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "management.h"

nvmlReturn_t facet_nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    *version = CUDA_VERSION;
    return NVML_SUCCESS;
}

/* The command of a process as it was started, up to its first argument. */
nvmlReturn_t facet_nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
    char path[32], text[1024];
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    if (length == 0)
        return NVML_ERROR_INVALID_ARGUMENT;
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NVML_ERROR_NOT_FOUND;
    ssize_t bytes = read(file, text, sizeof text - 1);
    close(file);
    if (bytes < 0)
        return NVML_ERROR_NO_PERMISSION;
    text[bytes] = 0;
    snprintf(name, length, "%s", text);
    return NVML_SUCCESS;
}
