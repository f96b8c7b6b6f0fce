/* Memory at addresses of the program's choice, step by step. */
#ifndef MAPPED_H
#define MAPPED_H

#include "check.h"

#define GRANULE ((size_t)2 << 20)

static CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};

static CUdeviceptr reserve(size_t bytes)
{
    CUdeviceptr address = 0;
    CHECK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    return address;
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
    CUmemGenericAllocationHandle handle = 0;
    CHECK(cuMemCreate(&handle, bytes, &properties, 0));
    return handle;
}

static CUresult allow(CUdeviceptr address, size_t bytes, CUmemAccess_flags flags)
{
    CUmemAccessDesc description = {.location = properties.location, .flags = flags};
    return cuMemSetAccess(address, bytes, &description, 1);
}

#endif
