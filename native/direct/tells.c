/* What the slice answers about devices and memory. */
#include "client.h"
#include "pool.h"
#include "slice.h"
#include "vendor.h"
#include "work.h"

CUresult facet_direct_cuDeviceGetCount(int *count)
{
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        *count = facet_slice_devices();
    return result;
}

CUresult facet_direct_cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (ordinal < 0 || ordinal >= facet_slice_devices())
        return CUDA_ERROR_INVALID_DEVICE;
    *device = facet_slice_vendor_device(ordinal);
    return CUDA_SUCCESS;
}

CUresult facet_direct_cuDeviceGetByPCIBusId(CUdevice *device, const char *bus)
{
    CUdevice found;
    CUresult result = facet_vendor.cuDeviceGetByPCIBusId(&found, bus);
    if (result != CUDA_SUCCESS)
        return result;
    if (facet_slice_number(found) < 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = found;
    return CUDA_SUCCESS;
}

CUresult facet_direct_cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    size_t all;
    CUresult result = facet_vendor.cuDeviceTotalMem_v2(&all, device);
    if (result != CUDA_SUCCESS)
        return result;
    int number = facet_slice_number(device);
    if (number < 0)
        return CUDA_ERROR_INVALID_DEVICE;
    uint64_t limit = facet_ledger_limit(number);
    *bytes = limit < all ? limit : all;
    return CUDA_SUCCESS;
}

/* As much as the old type holds. */
static unsigned int narrow(size_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (unsigned int)bytes;
}

CUresult facet_direct_cuDeviceTotalMem(unsigned int *bytes, CUdevice device)
{
    size_t all;
    CUresult result = facet_direct_cuDeviceTotalMem_v2(&all, device);
    if (result == CUDA_SUCCESS)
        *bytes = narrow(all);
    return result;
}

/* No more than the device has free: others may have what the slice was not promised. */
CUresult facet_direct_cuMemGetInfo_v2(size_t *free, size_t *total)
{
    size_t device_free, device_total;
    struct facet_where where;
    uint64_t limit, taken;
    CUresult result = facet_where(&where);
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuMemGetInfo_v2(&device_free, &device_total);
    if (result != CUDA_SUCCESS)
        return result;
    facet_pools_settle();
    facet_ledger_read(where.device, &limit, &taken);
    uint64_t left = limit > taken ? limit - taken : 0;
    *total = limit < device_total ? limit : device_total;
    *free = left < device_free ? left : device_free;
    return CUDA_SUCCESS;
}

CUresult facet_direct_cuMemGetInfo(unsigned int *free, unsigned int *total)
{
    size_t left, all;
    CUresult result = facet_direct_cuMemGetInfo_v2(&left, &all);
    if (result == CUDA_SUCCESS) {
        *free = narrow(left);
        *total = narrow(all);
    }
    return result;
}
