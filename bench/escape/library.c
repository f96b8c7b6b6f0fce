/* Copies of the driver library, the device as they see it, and texts for it. */
#include <dlfcn.h>

#include "escape.h"

struct driver first_driver, *driver = &first_driver;

static void find(struct driver *in, void *function, const char *name)
{
    *(void **)function = dlsym(in->handle, name);
    if (*(void **)function == NULL) {
        printf("%s is missing: %s\n", name, dlerror());
        exit(1);
    }
}

void driver_open(struct driver *in, void *handle)
{
    if (handle == NULL) {
        printf("the driver library cannot be loaded: %s\n", dlerror());
        exit(1);
    }
    in->handle = handle;
    find(in, &in->init, "cuInit");
    find(in, &in->device_get, "cuDeviceGet");
    find(in, &in->primary_retain, "cuDevicePrimaryCtxRetain");
    find(in, &in->set_current, "cuCtxSetCurrent");
    find(in, &in->get_current, "cuCtxGetCurrent");
    find(in, &in->context_synchronize, "cuCtxSynchronize");
    find(in, &in->module_load, "cuModuleLoadData");
    find(in, &in->module_function, "cuModuleGetFunction");
    find(in, &in->launch, "cuLaunchKernel");
    find(in, &in->allocate, "cuMemAlloc_v2");
    find(in, &in->give, "cuMemFree_v2");
    find(in, &in->host_allocate, "cuMemHostAlloc");
}

CUcontext open_device(void)
{
    CUdevice device;
    CUcontext context;
    MUST(driver->init(0));
    MUST(driver->device_get(&device, 0));
    MUST(driver->primary_retain(&context, device));
    MUST(driver->set_current(context));
    return context;
}

FILE *begin_text(char **text)
{
    static size_t bytes;
    FILE *file = open_memstream(text, &bytes);
    if (file == NULL)
        must(-1, "no memory for a text");
    fputs(".version 8.0\n.target sm_80\n.address_size 64\n", file);
    return file;
}

CUfunction load_text(const char *text, const char *name)
{
    CUmodule module;
    CUfunction function;
    MUST(driver->module_load(&module, text));
    MUST(driver->module_function(&function, module, name));
    return function;
}
