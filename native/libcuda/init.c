#include <dlfcn.h>

#include "client.h"
#include "device.h"
#include "registered.h"

CUresult facet_cuInit(unsigned int flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    facet_session_around_fork(facet_registered_before_fork, facet_registered_after_fork);
    CUresult result = facet_session_open(facet_visible_devices);
    if (result == CUDA_SUCCESS && facet_device_count() == 0)
        return CUDA_ERROR_NO_DEVICE;
    return result;
}

/* Programs that are newer than the driver do without it: they make machine code of their PTX themselves, which is of no use
 * here. PTX of newer compilers is welcome, and the runtime of such a program is ours. So the driver is as new as they are. */
static int newest_runtime(void)
{
    int (*newest)(void);
    *(void **)&newest = dlsym(RTLD_DEFAULT, "facet_preload_newest_runtime");
    return newest == NULL ? 0 : newest();
}

/* Works without a device: programs ask for it to say what is missing. */
CUresult facet_cuDriverGetVersion(int *version)
{
    if (version == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    int newest = newest_runtime();
    bool newer = newest > CUDA_VERSION && newest / 1000 == CUDA_VERSION / 1000;
    *version = newer ? newest : CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* There is no profiler that could be switched; programs that say where to look still run. */

CUresult facet_cuProfilerStart(void)
{
    struct facet_context *context;
    return facet_context_current(&context);
}

CUresult facet_cuProfilerStop(void)
{
    struct facet_context *context;
    return facet_context_current(&context);
}
