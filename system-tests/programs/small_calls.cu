// Calls of the runtime that programs make on the way: what devices, streams, functions and memory are asked for and set. Each answer is looked at.
// forms: shared static
#include "check.h"

#include <cuda_profiler_api.h>

#include <cstring>

__global__ void add(const float *a, const float *b, float *c, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        c[i] = a[i] + b[i];
    }
}

__global__ void step(unsigned *value, unsigned number)
{
    *value = *value * 31 + number;
}

static void devices()
{
    CHECK(cudaInitDevice(0, 0, 0));
    int only[] = {0};
    CHECK(cudaSetValidDevices(only, 1));
    cudaFuncCache cache;
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK(cudaDeviceGetCacheConfig(&cache));
    REQUIRE(cache == cudaFuncCachePreferShared || cache == cudaFuncCachePreferNone, "cache %d", cache);
    CHECK(cudaCtxResetPersistingL2Cache());
    CHECK(cudaProfilerStart());
    CHECK(cudaProfilerStop());
    int value = 0;
    EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
    size_t width = 0;
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
    CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &texel, 0));
    REQUIRE(width >= 1 << 27, "%zu texels", width);
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointVersionNotSufficent;
    CHECK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &found));
    REQUIRE(entry != nullptr && found == cudaDriverEntryPointSuccess, "result %d", found);
}

static void functions()
{
    const char *name = nullptr;
    CHECK(cudaFuncGetName(&name, reinterpret_cast<const void *>(add)));
    REQUIRE(strstr(name, "add") != nullptr, "%s", name);
    size_t offset = 0, bytes = 0;
    CHECK(cudaFuncGetParamInfo(reinterpret_cast<const void *>(add), 3, &offset, &bytes));
    REQUIRE(offset == 24 && bytes == 4, "at %zu, %zu bytes", offset, bytes);
    cudaKernel_t kernel = nullptr;
    CHECK(cudaGetKernel(&kernel, reinterpret_cast<const void *>(add)));
    REQUIRE(kernel != nullptr, "no kernel");
    int blocks = 0, same = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, add, 256, 0, cudaOccupancyDisableCachingOverride));
    REQUIRE(blocks > 0 && blocks == same, "%d and %d blocks", blocks, same);
}

static void streams()
{
    cudaStream_t stream, other;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&other));
    unsigned long long id = 0, second = 0;
    CHECK(cudaStreamGetId(stream, &id));
    CHECK(cudaStreamGetId(other, &second));
    REQUIRE(id != second, "both have %llu", id);
    int device = -1;
    CHECK(cudaStreamGetDevice(stream, &device));
    REQUIRE(device == 0, "device %d", device);
    cudaStreamAttrValue attribute = {};
    attribute.syncPolicy = cudaSyncPolicyYield;
    CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &attribute));
    attribute.syncPolicy = cudaSyncPolicyAuto;
    CHECK(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &attribute));
    REQUIRE(attribute.syncPolicy == cudaSyncPolicyYield, "policy %d", attribute.syncPolicy);
    cudaEvent_t begin, end;
    float milliseconds = -1;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecordWithFlags(begin, stream, cudaEventRecordDefault));
    CHECK(cudaEventRecordWithFlags(end, stream, cudaEventRecordDefault));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    REQUIRE(milliseconds >= 0 && std::isfinite(milliseconds), "%f ms", milliseconds);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaStreamDestroy(stream));
}

static void captures()
{
    unsigned *value = device_array<unsigned>(1), seen = 0;
    CHECK(cudaMemset(value, 0, 4));
    cudaStream_t stream;
    cudaGraph_t graph = nullptr, ended;
    const cudaGraphNode_t *before;
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    size_t many = 0;
    CHECK(cudaStreamCreate(&stream));
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    REQUIRE(mode == cudaStreamCaptureModeGlobal, "mode %d", mode);
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    REQUIRE(mode == cudaStreamCaptureModeRelaxed, "mode %d", mode);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    step<<<1, 1, 0, stream>>>(value, 5);
    LAUNCHED();
    const cudaGraphEdgeData *edges;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &before, &edges, &many));
    REQUIRE(status == cudaStreamCaptureStatusActive && graph != nullptr && many == 1, "%zu before what comes next", many);
    cudaKernelNodeParams params = {};
    CHECK(cudaGraphKernelNodeGetParams(before[0], &params));
    cudaGraphNode_t more;
    CHECK(cudaGraphAddKernelNode(&more, graph, before, many, &params));
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, cudaStreamSetCaptureDependencies));
    step<<<1, 1, 0, stream>>>(value, 6);
    LAUNCHED();
    CHECK(cudaStreamEndCapture(stream, &ended));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, ended, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    host_copy(&seen, value, 1);
    REQUIRE(seen == (5 * 31 + 5) * 31 + 6, "%u: one behind the other", seen);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(ended));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(value));
}

static void memory()
{
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t usual = nullptr, current = nullptr, again = nullptr;
    CHECK(cudaDeviceGetDefaultMemPool(&usual, 0));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    REQUIRE(usual != nullptr && usual == current, "another pool");
    CHECK(cudaMemGetDefaultMemPool(&again, &here, cudaMemAllocationTypePinned));
    REQUIRE(again == usual, "another pool");
    CHECK(cudaMemGetMemPool(&again, &here, cudaMemAllocationTypePinned));
    REQUIRE(again == current, "another pool");
    cudaMemAccessDesc access = {here, cudaMemAccessFlagsProtReadWrite};
    CHECK(cudaMemPoolSetAccess(usual, &access, 1));
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    CHECK(cudaMemPoolGetAccess(&flags, usual, &here));
    REQUIRE(flags == cudaMemAccessFlagsProtReadWrite, "access %d", flags);

    void *managed;
    CHECK(cudaMallocManaged(&managed, 1 << 20));
    CHECK(cudaMemAdvise(managed, 1 << 20, cudaMemAdviseSetReadMostly, here));
    int mostly = 0, preferred = 0, both = 0;
    CHECK(cudaMemRangeGetAttribute(&both, sizeof both, cudaMemRangeAttributeReadMostly, managed, 1 << 20));
    void *data[] = {&mostly, &preferred};
    size_t sizes[] = {sizeof mostly, sizeof preferred};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
    CHECK(cudaMemRangeGetAttributes(data, sizes, which, 2, managed, 1 << 20));
    REQUIRE(both == 1 && mostly == 1 && preferred == cudaInvalidDeviceId, "%d, %d, at %d", both, mostly, preferred);
    CHECK(cudaFree(managed));
}

static void textures()
{
    cudaArray_t array;
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
    CHECK(cudaMallocArray(&array, &texel, 16, 8, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {}, asked = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    cudaResourceViewDesc view = {}, view_asked = {};
    view.format = cudaResViewFormatFloat4;
    view.width = 16;
    view.height = 8;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &settings, &view));
    CHECK(cudaGetTextureObjectResourceDesc(&asked, texture));
    REQUIRE(asked.resType == cudaResourceTypeArray && asked.res.array.array == array, "another resource");
    CHECK(cudaGetTextureObjectResourceViewDesc(&view_asked, texture));
    REQUIRE(view_asked.format == cudaResViewFormatFloat4 && view_asked.height == 8, "another view");
    CHECK(cudaDestroyTextureObject(texture));
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

int main()
{
    devices();
    functions();
    streams();
    captures();
    memory();
    textures();
    printf("ok: small calls\n");
    return 0;
}
