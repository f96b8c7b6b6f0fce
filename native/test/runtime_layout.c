/* Prints the layouts of the runtime API's types: ours, or with -DTHEIRS those of an installed CUDA 13. Both must
 * print the same. */
#include <stddef.h>
#include <stdio.h>

#ifdef THEIRS
#include <cuda_runtime_api.h>

#include "../libcudart/properties.h"
#define cudaDeviceProp_13 cudaDeviceProp
#else
#include "../libcudart/types.h"
#endif

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define AT(type, field) printf("%s.%s %zu %zu\n", #type, #field, offsetof(type, field), sizeof(((type *)0)->field))
#define CONSTANT(name) printf("%s %lld\n", #name, (long long)(name))

/* Fields of the device's properties that only other versions have print nothing. */
#define ONE(versions, type, field, attribute) FACET_IN_13_##versions(AT(struct cudaDeviceProp_13, field);)
#define MORE(versions, field, count, attribute) FACET_IN_13_##versions(AT(struct cudaDeviceProp_13, field);)

int main(void)
{
    SIZE(struct cudaDeviceProp_13);
    AT(struct cudaDeviceProp_13, name);
    AT(struct cudaDeviceProp_13, uuid);
    AT(struct cudaDeviceProp_13, luid);
    AT(struct cudaDeviceProp_13, luidDeviceNodeMask);
    AT(struct cudaDeviceProp_13, totalGlobalMem);
    FACET_PROPERTIES(ONE, MORE)
    AT(struct cudaDeviceProp_13, reserved);

    SIZE(dim3);
    SIZE(struct cudaExtent);
    SIZE(struct cudaPos);
    SIZE(struct cudaPitchedPtr);
    AT(struct cudaPitchedPtr, ysize);

    SIZE(struct cudaMemcpy3DParms);
    AT(struct cudaMemcpy3DParms, srcPos);
    AT(struct cudaMemcpy3DParms, srcPtr);
    AT(struct cudaMemcpy3DParms, dstArray);
    AT(struct cudaMemcpy3DParms, dstPtr);
    AT(struct cudaMemcpy3DParms, extent);
    AT(struct cudaMemcpy3DParms, kind);
    SIZE(struct cudaMemcpy3DPeerParms);
    AT(struct cudaMemcpy3DPeerParms, srcDevice);
    AT(struct cudaMemcpy3DPeerParms, dstPtr);
    AT(struct cudaMemcpy3DPeerParms, dstDevice);
    AT(struct cudaMemcpy3DPeerParms, extent);

    SIZE(struct cudaPointerAttributes);
    AT(struct cudaPointerAttributes, device);
    AT(struct cudaPointerAttributes, devicePointer);
    AT(struct cudaPointerAttributes, hostPointer);

    SIZE(struct cudaFuncAttributes);
    AT(struct cudaFuncAttributes, sharedSizeBytes);
    AT(struct cudaFuncAttributes, constSizeBytes);
    AT(struct cudaFuncAttributes, localSizeBytes);
    AT(struct cudaFuncAttributes, maxThreadsPerBlock);
    AT(struct cudaFuncAttributes, numRegs);
    AT(struct cudaFuncAttributes, ptxVersion);
    AT(struct cudaFuncAttributes, binaryVersion);
    AT(struct cudaFuncAttributes, cacheModeCA);
    AT(struct cudaFuncAttributes, maxDynamicSharedSizeBytes);
    AT(struct cudaFuncAttributes, preferredShmemCarveout);
    AT(struct cudaFuncAttributes, nonPortableClusterSizeAllowed);

    SIZE(struct cudaChannelFormatDesc);
    AT(struct cudaChannelFormatDesc, f);
    SIZE(struct cudaMemLocation);
    SIZE(struct cudaMemAccessDesc);
    SIZE(struct cudaMemPoolProps);
    AT(struct cudaMemPoolProps, location);
    AT(struct cudaMemPoolProps, maxSize);
    AT(struct cudaMemPoolProps, usage);
    SIZE(cudaLaunchAttributeValue);
    SIZE(cudaLaunchAttribute);
    AT(cudaLaunchAttribute, val);
    SIZE(cudaLaunchConfig_t);
    AT(cudaLaunchConfig_t, blockDim);
    AT(cudaLaunchConfig_t, dynamicSmemBytes);
    AT(cudaLaunchConfig_t, stream);
    AT(cudaLaunchConfig_t, attrs);
    AT(cudaLaunchConfig_t, numAttrs);

    CONSTANT(cudaErrorInvalidValue);
    CONSTANT(cudaErrorMemoryAllocation);
    CONSTANT(cudaErrorInitializationError);
    CONSTANT(cudaErrorInvalidConfiguration);
    CONSTANT(cudaErrorInvalidPitchValue);
    CONSTANT(cudaErrorInvalidSymbol);
    CONSTANT(cudaErrorInvalidMemcpyDirection);
    CONSTANT(cudaErrorMissingConfiguration);
    CONSTANT(cudaErrorInvalidDeviceFunction);
    CONSTANT(cudaErrorNoDevice);
    CONSTANT(cudaErrorInvalidDevice);
    CONSTANT(cudaErrorDeviceUninitialized);
    CONSTANT(cudaErrorNoKernelImageForDevice);
    CONSTANT(cudaErrorSymbolNotFound);
    CONSTANT(cudaErrorSetOnActiveProcess);
    CONSTANT(cudaErrorNotSupported);
    CONSTANT(cudaErrorUnknown);
    CONSTANT(cudaMemcpyHostToHost);
    CONSTANT(cudaMemcpyHostToDevice);
    CONSTANT(cudaMemcpyDeviceToHost);
    CONSTANT(cudaMemcpyDeviceToDevice);
    CONSTANT(cudaMemcpyDefault);
    CONSTANT(cudaMemoryTypeUnregistered);
    CONSTANT(cudaMemoryTypeHost);
    CONSTANT(cudaMemoryTypeDevice);
    CONSTANT(cudaMemoryTypeManaged);
    SIZE(struct cudaResourceDesc);
    AT(struct cudaResourceDesc, res.array.array);
    AT(struct cudaResourceDesc, res.mipmap.mipmap);
    AT(struct cudaResourceDesc, res.linear.devPtr);
    AT(struct cudaResourceDesc, res.linear.desc);
    AT(struct cudaResourceDesc, res.linear.sizeInBytes);
    AT(struct cudaResourceDesc, res.pitch2D.desc);
    AT(struct cudaResourceDesc, res.pitch2D.width);
    AT(struct cudaResourceDesc, res.pitch2D.height);
    AT(struct cudaResourceDesc, res.pitch2D.pitchInBytes);
    AT(struct cudaResourceDesc, flags);
    SIZE(struct cudaTextureDesc);
    AT(struct cudaTextureDesc, filterMode);
    AT(struct cudaTextureDesc, readMode);
    AT(struct cudaTextureDesc, sRGB);
    AT(struct cudaTextureDesc, borderColor);
    AT(struct cudaTextureDesc, normalizedCoords);
    AT(struct cudaTextureDesc, maxAnisotropy);
    AT(struct cudaTextureDesc, mipmapFilterMode);
    AT(struct cudaTextureDesc, mipmapLevelBias);
    AT(struct cudaTextureDesc, minMipmapLevelClamp);
    AT(struct cudaTextureDesc, maxMipmapLevelClamp);
    AT(struct cudaTextureDesc, disableTrilinearOptimization);
    AT(struct cudaTextureDesc, seamlessCubemap);
    SIZE(struct cudaResourceViewDesc);
    AT(struct cudaResourceViewDesc, width);
    AT(struct cudaResourceViewDesc, firstMipmapLevel);
    AT(struct cudaResourceViewDesc, lastLayer);
    return 0;
}
