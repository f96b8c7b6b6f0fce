/* Versions, and the driver's functions by name. */
#include <stddef.h>

#include "runtime.h"

enum { VERSION_12 = 12090, VERSION_13 = 13000 };

static cudaError_t version(int *place, int number)
{
    if (place == NULL)
        return facet_latch(cudaErrorInvalidValue);
    *place = number;
    return cudaSuccess;
}

cudaError_t facet_cudaRuntimeGetVersion_12(int *place)
{
    return version(place, VERSION_12);
}

cudaError_t facet_cudaRuntimeGetVersion_13(int *place)
{
    return version(place, VERSION_13);
}

cudaError_t facet_cudaDriverGetVersion(int *place)
{
    return facet_finish(cuDriverGetVersion(place));
}

enum { PER_THREAD_DEFAULT_STREAM = 2 };

static cudaError_t entry(bool per_thread, const char *symbol, void **function, unsigned number, unsigned long long flags, int *status)
{
    if (symbol == NULL || function == NULL)
        return cudaErrorInvalidValue;
    CUdriverProcAddressQueryResult found = 0;
    if (flags == 0 && per_thread)
        flags = PER_THREAD_DEFAULT_STREAM;
    CUresult result = cuGetProcAddress_v2(symbol, function, (int)number, flags, &found);
    if (status != NULL)
        *status = found;
    if (result != CUDA_ERROR_NOT_FOUND)
        return facet_error(result);
    /* Who asks for the status is told by it alone. */
    *function = NULL;
    return status != NULL ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t facet_cudaGetDriverEntryPoint_12(bool per_thread, const char *symbol, void **function, unsigned long long flags, int *status)
{
    return facet_latch(entry(per_thread, symbol, function, VERSION_12, flags, status));
}

cudaError_t facet_cudaGetDriverEntryPoint_13(bool per_thread, const char *symbol, void **function, unsigned long long flags, int *status)
{
    return facet_latch(entry(per_thread, symbol, function, VERSION_13, flags, status));
}

cudaError_t facet_cudaGetDriverEntryPointByVersion(bool per_thread, const char *symbol, void **function, unsigned number, unsigned long long flags,
                                                   int *status)
{
    return facet_latch(entry(per_thread, symbol, function, number, flags, status));
}

/* The vendor's hidden tables. */
cudaError_t facet_cudaGetExportTable(const void **table, const cudaUUID_t *id)
{
    (void)id;
    if (table != NULL)
        *table = NULL;
    return facet_latch(cudaErrorSymbolNotFound);
}

cudaError_t facet_cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t facet_cudaProfilerStop(void)
{
    return cudaSuccess;
}
