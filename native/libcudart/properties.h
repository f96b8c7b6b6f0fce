/* cudaDeviceProp as the versions of the runtime lay it out: 11 is what cudaGetDeviceProperties of
 * libcudart.so.12 still fills in for programs of before 12. Most of it is a device attribute, in the
 * order of the longest layout:
 *
 *   ONE(versions, type, field, attribute)
 *   MORE(versions, field, count, first attribute)    int[count]; the attributes follow each other
 *
 * versions: ALL; OLD 11, 12; LATER 12, 13; NEW 13.
 */
#ifndef FACET_CUDART_PROPERTIES_H
#define FACET_CUDART_PROPERTIES_H

#define FACET_PROPERTIES(ONE, MORE)                            \
    ONE(ALL, size_t, sharedMemPerBlock, 8)                     \
    ONE(ALL, int, regsPerBlock, 12)                            \
    ONE(ALL, int, warpSize, 10)                                \
    ONE(ALL, size_t, memPitch, 11)                             \
    ONE(ALL, int, maxThreadsPerBlock, 1)                       \
    MORE(ALL, maxThreadsDim, 3, 2)                             \
    MORE(ALL, maxGridSize, 3, 5)                               \
    ONE(OLD, int, clockRate, 13)                               \
    ONE(ALL, size_t, totalConstMem, 9)                         \
    ONE(ALL, int, major, 75)                                   \
    ONE(ALL, int, minor, 76)                                   \
    ONE(ALL, size_t, textureAlignment, 14)                     \
    ONE(ALL, size_t, texturePitchAlignment, 51)                \
    ONE(OLD, int, deviceOverlap, 15)                           \
    ONE(ALL, int, multiProcessorCount, 16)                     \
    ONE(OLD, int, kernelExecTimeoutEnabled, 17)                \
    ONE(ALL, int, integrated, 18)                              \
    ONE(ALL, int, canMapHostMemory, 19)                        \
    ONE(OLD, int, computeMode, 20)                             \
    ONE(ALL, int, maxTexture1D, 21)                            \
    ONE(ALL, int, maxTexture1DMipmap, 77)                      \
    ONE(OLD, int, maxTexture1DLinear, 69)                      \
    MORE(ALL, maxTexture2D, 2, 22)                             \
    MORE(ALL, maxTexture2DMipmap, 2, 73)                       \
    MORE(ALL, maxTexture2DLinear, 3, 70)                       \
    MORE(ALL, maxTexture2DGather, 2, 45)                       \
    MORE(ALL, maxTexture3D, 3, 24)                             \
    MORE(ALL, maxTexture3DAlt, 3, 47)                          \
    ONE(ALL, int, maxTextureCubemap, 52)                       \
    MORE(ALL, maxTexture1DLayered, 2, 42)                      \
    MORE(ALL, maxTexture2DLayered, 3, 27)                      \
    MORE(ALL, maxTextureCubemapLayered, 2, 53)                 \
    ONE(ALL, int, maxSurface1D, 55)                            \
    MORE(ALL, maxSurface2D, 2, 56)                             \
    MORE(ALL, maxSurface3D, 3, 58)                             \
    MORE(ALL, maxSurface1DLayered, 2, 61)                      \
    MORE(ALL, maxSurface2DLayered, 3, 63)                      \
    ONE(ALL, int, maxSurfaceCubemap, 66)                       \
    MORE(ALL, maxSurfaceCubemapLayered, 2, 67)                 \
    ONE(ALL, size_t, surfaceAlignment, 30)                     \
    ONE(ALL, int, concurrentKernels, 31)                       \
    ONE(ALL, int, ECCEnabled, 32)                              \
    ONE(ALL, int, pciBusID, 33)                                \
    ONE(ALL, int, pciDeviceID, 34)                             \
    ONE(ALL, int, pciDomainID, 50)                             \
    ONE(ALL, int, tccDriver, 35)                               \
    ONE(ALL, int, asyncEngineCount, 40)                        \
    ONE(ALL, int, unifiedAddressing, 41)                       \
    ONE(OLD, int, memoryClockRate, 36)                         \
    ONE(ALL, int, memoryBusWidth, 37)                          \
    ONE(ALL, int, l2CacheSize, 38)                             \
    ONE(ALL, int, persistingL2CacheMaxSize, 108)               \
    ONE(ALL, int, maxThreadsPerMultiProcessor, 39)             \
    ONE(ALL, int, streamPrioritiesSupported, 78)               \
    ONE(ALL, int, globalL1CacheSupported, 79)                  \
    ONE(ALL, int, localL1CacheSupported, 80)                   \
    ONE(ALL, size_t, sharedMemPerMultiprocessor, 81)           \
    ONE(ALL, int, regsPerMultiprocessor, 82)                   \
    ONE(ALL, int, managedMemory, 83)                           \
    ONE(ALL, int, isMultiGpuBoard, 84)                         \
    ONE(ALL, int, multiGpuBoardGroupID, 85)                    \
    ONE(ALL, int, hostNativeAtomicSupported, 86)               \
    ONE(OLD, int, singleToDoublePrecisionPerfRatio, 87)        \
    ONE(ALL, int, pageableMemoryAccess, 88)                    \
    ONE(ALL, int, concurrentManagedAccess, 89)                 \
    ONE(ALL, int, computePreemptionSupported, 90)              \
    ONE(ALL, int, canUseHostPointerForRegisteredMem, 91)       \
    ONE(ALL, int, cooperativeLaunch, 95)                       \
    ONE(OLD, int, cooperativeMultiDeviceLaunch, 96)            \
    ONE(ALL, size_t, sharedMemPerBlockOptin, 97)               \
    ONE(ALL, int, pageableMemoryAccessUsesHostPageTables, 100) \
    ONE(ALL, int, directManagedMemAccessFromHost, 101)         \
    ONE(ALL, int, maxBlocksPerMultiProcessor, 106)             \
    ONE(ALL, int, accessPolicyMaxWindowSize, 109)              \
    ONE(ALL, size_t, reservedSharedMemPerBlock, 111)           \
    ONE(LATER, int, hostRegisterSupported, 99)                 \
    ONE(LATER, int, sparseCudaArraySupported, 112)             \
    ONE(LATER, int, hostRegisterReadOnlySupported, 113)        \
    ONE(LATER, int, timelineSemaphoreInteropSupported, 114)    \
    ONE(LATER, int, memoryPoolsSupported, 115)                 \
    ONE(LATER, int, gpuDirectRDMASupported, 116)               \
    ONE(LATER, unsigned, gpuDirectRDMAFlushWritesOptions, 117) \
    ONE(LATER, int, gpuDirectRDMAWritesOrdering, 118)          \
    ONE(LATER, unsigned, memoryPoolSupportedHandleTypes, 119)  \
    ONE(LATER, int, deferredMappingCudaArraySupported, 121)    \
    ONE(LATER, int, ipcEventSupported, 125)                    \
    ONE(LATER, int, clusterLaunch, 120)                        \
    ONE(LATER, int, unifiedFunctionPointers, 129)              \
    ONE(NEW, int, deviceNumaConfig, 130)                       \
    ONE(NEW, int, deviceNumaId, 131)                           \
    ONE(NEW, int, mpsEnabled, 133)                             \
    ONE(NEW, int, hostNumaId, 134)                             \
    ONE(NEW, unsigned, gpuPciDeviceID, 139)                    \
    ONE(NEW, unsigned, gpuPciSubsystemID, 140)                 \
    ONE(NEW, int, hostNumaMultinodeIpcSupported, 143)

#define FACET_IN_11_ALL(...) __VA_ARGS__
#define FACET_IN_11_OLD(...) __VA_ARGS__
#define FACET_IN_11_LATER(...)
#define FACET_IN_11_NEW(...)
#define FACET_IN_12_ALL(...) __VA_ARGS__
#define FACET_IN_12_OLD(...) __VA_ARGS__
#define FACET_IN_12_LATER(...) __VA_ARGS__
#define FACET_IN_12_NEW(...)
#define FACET_IN_13_ALL(...) __VA_ARGS__
#define FACET_IN_13_OLD(...)
#define FACET_IN_13_LATER(...) __VA_ARGS__
#define FACET_IN_13_NEW(...) __VA_ARGS__

#define FACET_ONE_11(versions, type, field, attribute) FACET_IN_11_##versions(type field;)
#define FACET_ONE_12(versions, type, field, attribute) FACET_IN_12_##versions(type field;)
#define FACET_ONE_13(versions, type, field, attribute) FACET_IN_13_##versions(type field;)
#define FACET_MORE_11(versions, field, count, attribute) FACET_IN_11_##versions(int field[count];)
#define FACET_MORE_12(versions, field, count, attribute) FACET_IN_12_##versions(int field[count];)
#define FACET_MORE_13(versions, field, count, attribute) FACET_IN_13_##versions(int field[count];)

/* What every layout begins with. */
#define FACET_PROPERTIES_START   \
    char name[256];              \
    cudaUUID_t uuid;             \
    char luid[8];                \
    unsigned luidDeviceNodeMask; \
    size_t totalGlobalMem;

struct cudaDeviceProp_11 {
    FACET_PROPERTIES_START
    FACET_PROPERTIES(FACET_ONE_11, FACET_MORE_11)
};

struct cudaDeviceProp_12 {
    FACET_PROPERTIES_START
    FACET_PROPERTIES(FACET_ONE_12, FACET_MORE_12)
    int reserved[63];
};

struct cudaDeviceProp_13 {
    FACET_PROPERTIES_START
    FACET_PROPERTIES(FACET_ONE_13, FACET_MORE_13)
    int reserved[56];
};

#endif
