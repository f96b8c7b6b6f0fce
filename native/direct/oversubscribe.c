#include "oversubscribe.h"

#include <pthread.h>
#include <stdint.h>

#include "client.h"
#include "slice.h"
#include "vendor.h"

typedef CUresult attribute_call(int *value, CUdevice_attribute attribute, CUdevice device);
typedef CUresult advise_call(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device);

static pthread_once_t said = PTHREAD_ONCE_INIT;

static void say(void)
{
    facet_say(
        "the device has no room for all that its slices may have: some memory of this program is managed, in host memory when others need the room");
}

/* Without that the device stops at a page that is elsewhere, or all of it has to be on the device. */
static bool can_page(CUdevice device)
{
    attribute_call *ask = (attribute_call *)(uintptr_t)facet_vendor_function("cuDeviceGetAttribute");
    int value = 0;
    return ask != NULL && ask(&value, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, device) == CUDA_SUCCESS && value != 0;
}

static CUdevice vendors_device(int number)
{
    for (int i = 0; i < facet_slice_devices(); i++)
        if (facet_slice_number(facet_slice_vendor_device(i)) == number)
            return facet_slice_vendor_device(i);
    return -1;
}

/* A slice that goes before others wants its pages on the device now and again whenever it uses them. All others leave that to who uses what: what is
 * idle makes room. Both are advice: where the driver does not take it, the memory works all the same. */
static void place(CUdeviceptr address, size_t bytes, CUdevice device)
{
    advise_call *advise = (advise_call *)(uintptr_t)facet_vendor_function("cuMemAdvise");
    if (!facet_ledger_on_device() || advise == NULL || advise(address, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device) != CUDA_SUCCESS)
        return;
    /* As the program would do it: it is work of the device, and counted. */
    (void)cuMemPrefetchAsync(address, bytes, device, NULL);
}

CUresult facet_oversubscribe(const struct facet_where *where, CUdeviceptr *address, size_t bytes)
{
    CUdevice device = vendors_device(where->device);
    if (device < 0 || !can_page(device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = facet_vendor.cuMemAllocManaged(address, bytes, CU_MEM_ATTACH_GLOBAL);
    if (result == CUDA_SUCCESS) {
        pthread_once(&said, say);
        place(*address, bytes, device);
    }
    return result;
}
