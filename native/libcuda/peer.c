/* Access of kernels to memory of the program's other devices. Managed and pinned memory they reach without it. */
#include "context.h"
#include "device.h"

static CUresult two(CUdevice first, CUdevice second)
{
    const struct facet_device_record *record;
    CUresult result = facet_device_check(first, &record);
    return result == CUDA_SUCCESS ? facet_device_check(second, &record) : result;
}

static bool possible(CUdevice device, CUdevice peer)
{
    return device != peer && facet_command_known(FACET_COMMAND_PEER_ACCESS);
}

CUresult facet_cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    CUresult result = two(device, peer);
    if (result != CUDA_SUCCESS)
        return result;
    if (can == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *can = possible(device, peer);
    return CUDA_SUCCESS;
}

CUresult facet_cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice destination)
{
    CUresult result = two(source, destination);
    if (result != CUDA_SUCCESS)
        return result;
    if (source == destination)
        return CUDA_ERROR_INVALID_DEVICE;
    if (value == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
        *value = possible(source, destination);
        return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: /* of equal ways all are the best */
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
        *value = 0;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult sides(CUcontext handle, struct facet_context **context, struct facet_context **peer)
{
    CUresult result = facet_context_current(context);
    if (result != CUDA_SUCCESS)
        return result;
    *peer = facet_context_handle(handle);
    return *peer == NULL || *peer == *context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

/* Both for the whole life of the two: the other one's number is another when it begins anew. */
static _Atomic uint64_t *place(struct facet_context *context, const struct facet_context *peer)
{
    return &context->peers[peer->object.id];
}

/* A pool's memory is open to the device anyway. */
static bool is_lent(struct facet_context *context, const struct facet_context *peer)
{
    return atomic_load(&context->lent[peer->object.id]) == peer->unique;
}

CUresult facet_cuCtxEnablePeerAccess(CUcontext handle, unsigned int flags)
{
    struct facet_context *context, *peer;
    CUresult result = sides(handle, &context, &peer);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!possible(context->device, peer->device))
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (atomic_exchange(place(context, peer), peer->unique) == peer->unique)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    if (is_lent(context, peer))
        return CUDA_SUCCESS;
    result = facet_wait_peer_access(context->object.id, peer->object.id, 1);
    if (result != CUDA_SUCCESS)
        atomic_store(place(context, peer), 0);
    return result;
}

CUresult facet_cuCtxDisablePeerAccess(CUcontext handle)
{
    struct facet_context *context, *peer;
    CUresult result = sides(handle, &context, &peer);
    if (result != CUDA_SUCCESS)
        return result;
    if (atomic_exchange(place(context, peer), 0) != peer->unique)
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    if (is_lent(context, peer))
        return CUDA_SUCCESS;
    return facet_wait_peer_access(context->object.id, peer->object.id, 0);
}
