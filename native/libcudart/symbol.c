/* Device variables by the address of their shadow in the host program. */
#include "runtime.h"

cudaError_t facet_cudaGetSymbolAddress(void **address, const void *symbol)
{
    CUdeviceptr found = 0;
    size_t bytes;
    if (address == NULL)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_bind_variable(symbol, &found, &bytes);
    if (error == cudaSuccess)
        *address = (void *)(uintptr_t)found;
    return facet_latch(error);
}

cudaError_t facet_cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    CUdeviceptr found;
    return facet_latch(bytes == NULL ? cudaErrorInvalidValue : facet_bind_variable(symbol, &found, bytes));
}

cudaError_t facet_symbol_part(const void *symbol, size_t bytes, size_t offset, void **address)
{
    CUdeviceptr found;
    size_t size;
    cudaError_t error = facet_bind_variable(symbol, &found, &size);
    if (error != cudaSuccess)
        return error;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    *address = (void *)(uintptr_t)(found + offset);
    return cudaSuccess;
}

static cudaError_t to_symbol(const void *symbol, const void *source, size_t bytes, size_t offset, int kind, cudaStream_t stream, bool waits)
{
    void *address;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = facet_symbol_part(symbol, bytes, offset, &address);
    return error != cudaSuccess ? error : facet_copy(address, source, bytes, kind, stream, waits);
}

static cudaError_t from_symbol(void *destination, const void *symbol, size_t bytes, size_t offset, int kind, cudaStream_t stream, bool waits)
{
    void *address;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = facet_symbol_part(symbol, bytes, offset, &address);
    return error != cudaSuccess ? error : facet_copy(destination, address, bytes, kind, stream, waits);
}

cudaError_t facet_cudaMemcpyToSymbol(bool per_thread, const void *symbol, const void *source, size_t bytes, size_t offset, int kind)
{
    return facet_latch(to_symbol(symbol, source, bytes, offset, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpyToSymbolAsync(bool per_thread, const void *symbol, const void *source, size_t bytes, size_t offset, int kind,
                                          cudaStream_t stream)
{
    return facet_latch(to_symbol(symbol, source, bytes, offset, kind, facet_stream(per_thread, stream), false));
}

cudaError_t facet_cudaMemcpyFromSymbol(bool per_thread, void *destination, const void *symbol, size_t bytes, size_t offset, int kind)
{
    return facet_latch(from_symbol(destination, symbol, bytes, offset, kind, facet_stream(per_thread, NULL), true));
}

cudaError_t facet_cudaMemcpyFromSymbolAsync(bool per_thread, void *destination, const void *symbol, size_t bytes, size_t offset, int kind,
                                            cudaStream_t stream)
{
    return facet_latch(from_symbol(destination, symbol, bytes, offset, kind, facet_stream(per_thread, stream), false));
}
