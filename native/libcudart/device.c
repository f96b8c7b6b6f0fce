/* Devices: which there are, what they are like, which one a thread uses. */
#include "runtime.h"

cudaError_t facet_cudaGetDeviceCount(int *count)
{
    if (count == NULL)
        return facet_latch(cudaErrorInvalidValue);
    *count = 0;
    return facet_latch(facet_device_count(count));
}

cudaError_t facet_cudaGetDevice(int *device)
{
    return facet_latch(device == NULL ? cudaErrorInvalidValue : facet_device_current(device));
}

/* Since 12 the context is made here, not with the first call that needs it. */
cudaError_t facet_cudaSetDevice(int device)
{
    return facet_latch(facet_device_choose(device));
}

cudaError_t facet_cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    CUdevice handle;
    CUcontext before;
    cudaError_t error = facet_device_handle(device, &handle);
    /* cudaInitDeviceFlagsAreValid */
    if (error == cudaSuccess && (flags & 1) != 0)
        error = facet_error(cuDevicePrimaryCtxSetFlags_v2(handle, device_flags));
    if (error == cudaSuccess)
        error = facet_context_enter(device, &before);
    if (error == cudaSuccess)
        facet_context_leave(before);
    return facet_latch(error);
}

/* All devices are valid: a slice has only those that are its own. */
cudaError_t facet_cudaSetValidDevices(int *devices, int count)
{
    int there = 0;
    cudaError_t error = facet_device_count(&there);
    if (error == cudaSuccess && (count < 0 || (count > 0 && devices == NULL)))
        error = cudaErrorInvalidValue;
    for (int i = 0; error == cudaSuccess && i < count; i++) {
        if (devices[i] < 0 || devices[i] >= there)
            error = cudaErrorInvalidDevice;
    }
    return facet_latch(error);
}

enum { MAP_HOST = 8 }; /* cudaDeviceMapHost: always so */

cudaError_t facet_cudaGetDeviceFlags(unsigned *flags)
{
    int ordinal = 0;
    int active = 0;
    CUdevice device;
    if (flags == NULL)
        return facet_latch(cudaErrorInvalidValue);
    *flags = 0;
    cudaError_t error = facet_device_current(&ordinal);
    if (error == cudaSuccess)
        error = facet_device_handle(ordinal, &device);
    CUcontext context = NULL;
    if (error == cudaSuccess && cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != NULL)
        error = facet_error(cuCtxGetFlags(flags));
    else if (error == cudaSuccess)
        error = facet_error(cuDevicePrimaryCtxGetState(device, flags, &active));
    *flags |= MAP_HOST;
    return facet_latch(error);
}

cudaError_t facet_cudaSetDeviceFlags(unsigned flags)
{
    int ordinal = 0;
    CUdevice device;
    if ((flags & ~0x9fu) != 0)
        return facet_latch(cudaErrorInvalidValue);
    cudaError_t error = facet_device_current(&ordinal);
    if (error == cudaSuccess)
        error = facet_device_handle(ordinal, &device);
    if (error == cudaSuccess)
        error = facet_error(cuDevicePrimaryCtxSetFlags_v2(device, flags & ~(unsigned)MAP_HOST));
    return facet_latch(error);
}

/* Attributes have the driver's numbers. */
cudaError_t facet_cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetAttribute(value, attribute, handle));
}

cudaError_t facet_cudaDeviceGetByPCIBusId(int *device, const char *bus_id)
{
    int count;
    cudaError_t error = facet_device_count(&count);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetByPCIBusId(device, bus_id));
}

cudaError_t facet_cudaDeviceGetPCIBusId(char *bus_id, int length, int device)
{
    CUdevice handle;
    cudaError_t error = facet_device_handle(device, &handle);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetPCIBusId(bus_id, length, handle));
}

cudaError_t facet_cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CUdevice handle;
    CUdevice other;
    cudaError_t error = facet_device_handle(device, &handle);
    if (error == cudaSuccess)
        error = facet_device_handle(peer, &other);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceCanAccessPeer(can, handle, other));
}

cudaError_t facet_cudaDeviceGetP2PAttribute(int *value, int attribute, int source, int destination)
{
    CUdevice handle;
    CUdevice other;
    cudaError_t error = facet_device_handle(source, &handle);
    if (error == cudaSuccess)
        error = facet_device_handle(destination, &other);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuDeviceGetP2PAttribute(value, attribute, handle, other));
}

/* The primary context of a peer; the caller's own stays current. */
static cudaError_t peer_context(int peer, CUcontext *context)
{
    CUcontext before;
    if (facet_context_need() != CUDA_SUCCESS)
        return cudaErrorDeviceUninitialized;
    cudaError_t error = facet_context_enter(peer, &before);
    if (error != cudaSuccess)
        return error;
    error = facet_error(cuCtxGetCurrent(context));
    facet_context_leave(before);
    return error;
}

cudaError_t facet_cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CUcontext context;
    int own = 0;
    cudaError_t error = facet_device_current(&own);
    if (error == cudaSuccess)
        error = own == peer ? cudaErrorInvalidDevice : peer_context(peer, &context);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuCtxEnablePeerAccess(context, flags));
}

cudaError_t facet_cudaDeviceDisablePeerAccess(int peer)
{
    CUcontext context;
    cudaError_t error = peer_context(peer, &context);
    return error != cudaSuccess ? facet_latch(error) : facet_finish(cuCtxDisablePeerAccess(context));
}
