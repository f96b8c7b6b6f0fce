/* Starting and ending; errors. */
#include <string.h>

#include "management.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

nvmlReturn_t facet_nvmlInitWithFlags(unsigned int flags)
{
    CUresult opened = facet_session_open(NULL);
    if (opened == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
        return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
    if (opened != CUDA_SUCCESS)
        return NVML_ERROR_DRIVER_NOT_LOADED;
    if (facet_device_count() == 0 && (flags & NVML_INIT_FLAG_NO_GPUS) == 0)
        return NVML_ERROR_GPU_NOT_FOUND;
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
    return NVML_SUCCESS;
}

nvmlReturn_t facet_nvmlInit_v2(void)
{
    return facet_nvmlInitWithFlags(0);
}

/* The session stays: the next nvmlInit finds it. */
nvmlReturn_t facet_nvmlShutdown(void)
{
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = users > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
    if (users > 0)
        users--;
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t facet_nvml_ready(void)
{
    pthread_mutex_lock(&lock);
    bool initialized = users > 0;
    pthread_mutex_unlock(&lock);
    if (!initialized)
        return NVML_ERROR_UNINITIALIZED;
    return facet_session_alive() ? NVML_SUCCESS : NVML_ERROR_GPU_IS_LOST;
}

const char *facet_nvmlErrorString(nvmlReturn_t result)
{
    const char *text = facet_nvml_error_description(result);
    return text != NULL ? text : "Unknown Error";
}

nvmlReturn_t facet_nvml_unsupported(const char *name)
{
    nvmlReturn_t ready = facet_nvml_ready();
    if (ready != NVML_SUCCESS)
        return ready;
    /* Tools ask a device for all that some device may have. */
    facet_count_unsupported(name);
    return NVML_ERROR_NOT_SUPPORTED;
}

/* Devices are the machine's, not the slice's. */
nvmlReturn_t facet_nvml_denied(const char *name)
{
    (void)name;
    nvmlReturn_t ready = facet_nvml_ready();
    return ready == NVML_SUCCESS ? NVML_ERROR_NO_PERMISSION : ready;
}

nvmlReturn_t facet_nvml_text(const char *text, char *to, unsigned int length)
{
    size_t bytes = strlen(text) + 1;
    if (bytes > length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(to, text, bytes);
    return NVML_SUCCESS;
}
