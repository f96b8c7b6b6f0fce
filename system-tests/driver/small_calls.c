/* Calls that programs make on the way: what contexts, functions, streams and devices are asked for and set, old names among them. Each answer
 * is looked at. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "check.h"

#include <dlfcn.h>
#include <math.h>

/* cuda.h gives some names to the newest version: these are the symbols as they are. */
#define SYMBOL(name, ...) (((CUresult(*)())dlsym(RTLD_DEFAULT, name))(__VA_ARGS__))

static CUdevice device;

static void contexts(void)
{
    CUcontext made, got = NULL, primary;
    unsigned flags = 99;
    CHECK(cuCtxGetCurrent(&primary));
    CHECK(cuCtxCreate_v2(&made, CU_CTX_SCHED_YIELD, device));
    CHECK(cuCtxGetFlags(&flags));
    REQUIRE((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD, "flags %u", flags);
    CHECK(SYMBOL("cuCtxSetFlags", (unsigned)CU_CTX_SCHED_SPIN));
    CHECK(cuCtxGetFlags(&flags));
    REQUIRE((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_SPIN, "flags %u", flags);
    CUfunc_cache cache;
    CHECK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    CHECK(cuCtxGetCacheConfig(&cache));
    REQUIRE(cache == CU_FUNC_CACHE_PREFER_L1 || cache == CU_FUNC_CACHE_PREFER_NONE, "cache %d", (int)cache);
    int banks = 99;
    CHECK(SYMBOL("cuCtxSetSharedMemConfig", 1));
    CHECK(SYMBOL("cuCtxGetSharedMemConfig", &banks));
    REQUIRE(banks >= 0 && banks <= 2, "banks %d", banks);
    CHECK(cuCtxResetPersistingL2Cache());
    int supported = 99;
    CHECK(cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
    CUexecAffinityParam affinity;
    CUresult asked = cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT);
    REQUIRE(supported == 0 ? asked == CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY || asked == CUDA_SUCCESS : asked == CUDA_SUCCESS, "%d", (int)asked);
    CHECK(SYMBOL("cuCtxPopCurrent", &got));
    REQUIRE(got == made, "another context");
    CHECK(cuCtxGetCurrent(&got));
    REQUIRE(got == primary, "what was there before");
    CHECK(SYMBOL("cuCtxPushCurrent", made));
    CHECK(cuCtxGetCurrent(&got));
    REQUIRE(got == made, "not pushed");
    CHECK(cuCtxDestroy(made));
    CHECK(cuCtxSetCurrent(primary));
}

static void devices(void)
{
    int major = 0, minor = 0, same = 0;
    CHECK(SYMBOL("cuDeviceComputeCapability", &major, &minor, device));
    CHECK(cuDeviceGetAttribute(&same, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    REQUIRE(major == same && major >= 7 && minor >= 0, "%d.%d", major, minor);
    CUdevprop properties;
    memset(&properties, 0, sizeof properties);
    CHECK(SYMBOL("cuDeviceGetProperties", &properties, device));
    CHECK(cuDeviceGetAttribute(&same, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    REQUIRE(properties.maxThreadsPerBlock == same && properties.SIMDWidth == 32, "%d threads", properties.maxThreadsPerBlock);
    CUuuid one, two;
    CHECK(SYMBOL("cuDeviceGetUuid", &one, device));
    CHECK(cuDeviceGetUuid_v2(&two, device));
    REQUIRE(memcmp(&one, &two, sizeof one) == 0, "two names");
    size_t width = 0;
    CHECK(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 1, device));
    REQUIRE(width >= 1 << 27, "%zu texels", width);
    char luid[8];
    unsigned mask;
    CUresult windows = cuDeviceGetLuid(luid, &mask, device);
    REQUIRE(windows == CUDA_SUCCESS || windows == CUDA_ERROR_NOT_SUPPORTED, "%d", (int)windows);
    EXPECT(cuDeviceGetP2PAttribute(&same, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device), CUDA_ERROR_INVALID_DEVICE);
    CHECK(SYMBOL("cuDevicePrimaryCtxSetFlags", device, (unsigned)CU_CTX_SCHED_BLOCKING_SYNC));
    unsigned flags = 0;
    int active = 0;
    CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    REQUIRE(active == 1 && (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_BLOCKING_SYNC, "flags %u", flags);
    CUcontext again;
    CHECK(cuDevicePrimaryCtxRetain(&again, device));
    CHECK(SYMBOL("cuDevicePrimaryCtxRelease", device));
    CHECK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    REQUIRE(active == 1, "one is left");
    CHECK(SYMBOL("cuProfilerStart"));
    CHECK(SYMBOL("cuProfilerStop"));
}

static void functions(CUmodule module)
{
    CUfunction add = kernel(module, "add"), store = kernel(module, "store");
    const char *name = NULL;
    CHECK(cuFuncGetName(&name, add));
    REQUIRE(strcmp(name, "add") == 0, "%s", name);
    size_t offset = 99, bytes = 99;
    CHECK(cuFuncGetParamInfo(add, 3, &offset, &bytes));
    REQUIRE(offset == 24 && bytes == 4, "at %zu, %zu bytes", offset, bytes);
    EXPECT(cuFuncGetParamInfo(add, 4, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
    CUfunctionLoadingState loaded;
    CHECK(cuFuncIsLoaded(&loaded, add));
    REQUIRE(loaded == CU_FUNCTION_LOADING_STATE_LOADED, "state %d", (int)loaded);
    CHECK(SYMBOL("cuFuncSetSharedMemConfig", add, 0));
    unsigned count = 0;
    CHECK(cuModuleGetFunctionCount(&count, module));
    REQUIRE(count == 9, "%u functions", count);
    CUfunction all[9];
    memset(all, 0, sizeof all);
    CHECK(cuModuleEnumerateFunctions(all, 9, module));
    int adds = 0;
    for (int i = 0; i < 9; i++) {
        CHECK(cuFuncGetName(&name, all[i]));
        adds += strcmp(name, "add") == 0;
    }
    REQUIRE(adds == 1, "add is there %d times", adds);
    CUmoduleLoadingMode mode;
    CHECK(cuModuleGetLoadingMode(&mode));
    REQUIRE(mode == CU_MODULE_EAGER_LOADING || mode == CU_MODULE_LAZY_LOADING, "mode %d", (int)mode);

    int blocks = 0, most = 0, least = 0, size = 0;
    size_t dynamic = 0;
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&most, add, 256, 0, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    REQUIRE(blocks > 0 && blocks == most, "%d and %d blocks", blocks, most);
    CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&least, &size, add, NULL, 0, 128, 0));
    REQUIRE(size > 0 && size <= 128 && least > 0, "%d blocks of %d", least, size);
    CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&dynamic, add, 2, 128));
    REQUIRE(dynamic >= 1024, "%zu bytes", dynamic);

    /* A launch of the oldest kind: a float goes as its bits. */
    CUdeviceptr place = allocate(4);
    float number = 2.5f, seen = 0;
    CHECK(SYMBOL("cuFuncSetBlockShape", store, 1, 1, 1));
    CHECK(SYMBOL("cuParamSetv", store, 0, &place, (unsigned)sizeof place));
    CHECK(((CUresult(*)(CUfunction, int, float))dlsym(RTLD_DEFAULT, "cuParamSetf"))(store, 8, number));
    CHECK(SYMBOL("cuParamSetSize", store, 12u));
    CHECK(SYMBOL("cuLaunch", store));
    CHECK(cuMemcpyDtoH(&seen, place, sizeof seen));
    REQUIRE(seen == number, "%f", (double)seen);
    CHECK(cuMemFree(place));
}

static void libraries(void)
{
    CUlibrary library, got = NULL;
    CUkernel one, all[9];
    CHECK(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cuLibraryGetKernel(&one, library, "step"));
    CHECK(cuKernelGetLibrary(&got, one));
    REQUIRE(got == library, "another library");
    size_t offset = 99, bytes = 99;
    CHECK(cuKernelGetParamInfo(one, 1, &offset, &bytes));
    REQUIRE(offset == 8 && bytes == 4, "at %zu, %zu bytes", offset, bytes);
    memset(all, 0, sizeof all);
    CHECK(cuLibraryEnumerateKernels(all, 9, library));
    int found = 0;
    for (int i = 0; i < 9; i++)
        found += all[i] == one;
    REQUIRE(found == 1, "it is there %d times", found);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2048, one, device));
    int most = 0;
    CHECK(cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, one, device));
    REQUIRE(most == 2048, "%d bytes", most);
    CHECK(cuKernelSetCacheConfig(one, CU_FUNC_CACHE_PREFER_SHARED, device));
    CUdeviceptr managed;
    CHECK(cuLibraryGetManaged(&managed, &bytes, library, "launches"));
    REQUIRE(managed != 0 && bytes == 4 && *(int *)(uintptr_t)managed == 0, "%zu bytes", bytes);
    EXPECT(cuLibraryGetManaged(&managed, &bytes, library, "factor"), CUDA_ERROR_NOT_FOUND); /* it is not managed */
    CHECK(cuLibraryUnload(library));
}

static void streams(void)
{
    CUstream stream, other;
    CUcontext current, got = NULL;
    CUgreenCtx green = (CUgreenCtx)&stream;
    CHECK(cuCtxGetCurrent(&current));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    unsigned long long id = 0, second = 0;
    CHECK(cuStreamGetId(stream, &id));
    CHECK(cuStreamGetId(other, &second));
    REQUIRE(id != second, "both have %llu", id);
    CUdevice where = -1;
    CHECK(cuStreamGetDevice(stream, &where));
    REQUIRE(where == device, "device %d", where);
    CHECK(cuStreamGetCtx_v2(stream, &got, &green));
    REQUIRE(got == current && green == NULL, "another context");
    CUstreamAttrValue attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.syncPolicy = CU_SYNC_POLICY_YIELD;
    CHECK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
    memset(&attribute, 0, sizeof attribute);
    CHECK(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
    REQUIRE(attribute.syncPolicy == CU_SYNC_POLICY_YIELD, "policy %d", (int)attribute.syncPolicy);

    CUevent begin, end;
    float milliseconds = -1;
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CHECK(cuEventRecordWithFlags(begin, stream, CU_EVENT_RECORD_DEFAULT));
    CHECK(cuEventRecordWithFlags(end, stream, CU_EVENT_RECORD_DEFAULT));
    CHECK(cuEventSynchronize(end));
    CHECK(SYMBOL("cuEventElapsedTime", &milliseconds, begin, end));
    REQUIRE(milliseconds >= 0 && isfinite(milliseconds), "%f ms", (double)milliseconds);
    CHECK(cuEventDestroy(begin));
    CHECK(cuEventDestroy(end));
    CHECK(SYMBOL("cuStreamDestroy", other));
    CHECK(cuStreamDestroy(stream));
}

static void captures(CUmodule module)
{
    CUfunction step = kernel(module, "step");
    CUdeviceptr value = allocate(4);
    unsigned number = 5, zero = 0, seen = 0;
    CUstream stream;
    CUgraph graph = NULL, ended;
    CUgraphNode more;
    const CUgraphNode *before;
    const CUgraphEdgeData *edges;
    CUstreamCaptureStatus status;
    cuuint64_t id = 0, same = 0;
    size_t many = 99;
    CHECK(cuMemcpyHtoD(value, &zero, 4));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamIsCapturing(stream, &status));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_NONE, "status %d", (int)status);
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CHECK(cuThreadExchangeStreamCaptureMode(&mode));
    REQUIRE(mode == CU_STREAM_CAPTURE_MODE_GLOBAL, "mode %d", (int)mode);
    CHECK(cuThreadExchangeStreamCaptureMode(&mode));
    REQUIRE(mode == CU_STREAM_CAPTURE_MODE_RELAXED, "mode %d", (int)mode);
    CHECK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    CHECK(LAUNCH(step, 1, 1, 0, stream, &value, &number));
    CHECK(cuStreamIsCapturing(stream, &status));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE, "status %d", (int)status);
    CHECK(SYMBOL("cuStreamGetCaptureInfo_v2", stream, &status, &id, &graph, &before, &many));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && graph != NULL && many == 1, "%zu before what comes next", many);
    CHECK(SYMBOL("cuStreamGetCaptureInfo_v3", stream, &status, &same, &graph, &before, &edges, &many));
    REQUIRE(same == id && many == 1, "capture %llu", (unsigned long long)same);
    CUDA_KERNEL_NODE_PARAMS params;
    CHECK(cuGraphKernelNodeGetParams_v2(before[0], &params));
    CHECK(cuGraphAddKernelNode_v2(&more, graph, before, many, &params));
    CHECK(SYMBOL("cuStreamUpdateCaptureDependencies", stream, &more, (size_t)1, (unsigned)CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    CHECK(SYMBOL("cuStreamUpdateCaptureDependencies_v2", stream, &more, NULL, (size_t)1, (unsigned)CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    CHECK(LAUNCH(step, 1, 1, 0, stream, &value, &number));
    CHECK(cuStreamEndCapture(stream, &ended));
    CUgraphExec exec;
    CHECK(cuGraphInstantiateWithFlags(&exec, ended, 0));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(&seen, value, 4));
    REQUIRE(seen == (5 * 31 + 5) * 31 + 5, "%u: one behind the other", seen);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(ended));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuMemFree(value));
}

static void pointers(void)
{
    CUdeviceptr memory = allocate(4096);
    unsigned on = 1;
    CHECK(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
    unsigned synchronous = 0;
    CHECK(cuPointerGetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
    REQUIRE((synchronous & 1) == 1, "%u", synchronous);
    CHECK(cuMemFree(memory));
    CUdeviceptr managed;
    CHECK(cuMemAllocManaged(&managed, 1 << 20, CU_MEM_ATTACH_GLOBAL));
    CHECK(SYMBOL("cuMemAdvise", managed, (size_t)1 << 20, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    int mostly = 0, preferred = 0;
    void *data[] = {&mostly, &preferred};
    size_t sizes[] = {sizeof mostly, sizeof preferred};
    CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
    CHECK(cuMemRangeGetAttributes(data, sizes, which, 2, managed, 1 << 20));
    REQUIRE(mostly == 1 && preferred == CU_DEVICE_INVALID, "%d, at %d", mostly, preferred);
    CHECK(cuMemFree(managed));
}

int main(void)
{
    open_device();
    CHECK(cuDeviceGet(&device, 0));
    CUmodule module = load_kernels();
    contexts();
    devices();
    functions(module);
    libraries();
    streams();
    captures(module);
    pointers();
    printf("ok small calls\n");
    return 0;
}
