/* The runtime calls of the programs as calls of the driver API: linked in place of the CUDA runtime,
 * it turns a program into one that needs libcuda.so.1 alone. What it lacks does not link; such
 * programs name the forms they exist in. */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread cudaError_t last = cudaSuccess;

/* Error numbers of both APIs are the same but for the few that only the runtime has. */
static cudaError_t result(CUresult code)
{
    if (code != CUDA_SUCCESS)
        last = (cudaError_t)code;
    return (cudaError_t)code;
}

/* ---- what nvcc's host code registers */

struct image {
    const void *data; /* of the wrapper in .nvFatBinSegment */
    CUmodule module;
    struct image *next;
};

struct entity {
    const void *host;
    const char *name;
    struct image *image;
    void **managed; /* where a managed variable's address goes */
    CUfunction function;
    struct entity *next;
};

static struct image *images;
static struct entity *entities;
static CUcontext context;
static CUresult started = CUDA_ERROR_NOT_INITIALIZED;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static CUresult load_images(void)
{
    CUresult code = CUDA_SUCCESS;
    for (struct image *image = images; image != NULL && code == CUDA_SUCCESS; image = image->next)
        code = cuModuleLoadFatBinary(&image->module, image->data);
    for (struct entity *entity = entities; entity != NULL && code == CUDA_SUCCESS; entity = entity->next) {
        size_t bytes;
        if (entity->managed != NULL)
            code = cuModuleGetGlobal((CUdeviceptr *)entity->managed, &bytes, entity->image->module, entity->name);
    }
    return code;
}

static void start(void)
{
    CUdevice device;
    started = cuInit(0);
    if (started == CUDA_SUCCESS)
        started = cuDeviceGet(&device, 0);
    if (started == CUDA_SUCCESS)
        started = cuDevicePrimaryCtxRetain(&context, device);
    if (started == CUDA_SUCCESS)
        started = cuCtxSetCurrent(context);
    if (started == CUDA_SUCCESS)
        started = load_images();
}

static CUresult ready(void)
{
    CUcontext current = NULL;
    pthread_once(&once, start);
    if (started == CUDA_SUCCESS && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == NULL)
        return cuCtxSetCurrent(context);
    return started;
}

#define READY                       \
    do {                            \
        CUresult ready_ = ready();  \
        if (ready_ != CUDA_SUCCESS) \
            return result(ready_);  \
    } while (0)

void **__cudaRegisterFatBinary(void *wrapper);
void **__cudaRegisterFatBinary(void *wrapper)
{
    struct image *image = calloc(1, sizeof *image);
    image->data = wrapper;
    image->next = images;
    images = image;
    return (void **)image;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

char __cudaInitModule(void **handle);
char __cudaInitModule(void **handle)
{
    (void)handle;
    return ready() == CUDA_SUCCESS;
}

static struct entity *add(void **handle, const void *host, const char *name, void **managed)
{
    struct entity *entity = calloc(1, sizeof *entity);
    entity->host = host;
    entity->name = name;
    entity->image = (struct image *)handle;
    entity->managed = managed;
    entity->next = entities;
    return entities = entity;
}

void __cudaRegisterFunction(void **handle, const char *host, char *stub, const char *name, int limit, void *tid, void *bid, void *block, void *grid,
                            int *warp);
void __cudaRegisterFunction(void **handle, const char *host, char *stub, const char *name, int limit, void *tid, void *bid, void *block, void *grid,
                            int *warp)
{
    (void)stub, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    add(handle, host, name, NULL);
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes, int constant, int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    add(handle, host, name, NULL);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int external, size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int external, size_t bytes, int constant, int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    add(handle, host, name, host);
}

static struct entity *find(const void *host)
{
    struct entity *entity = entities;
    while (entity != NULL && entity->host != host)
        entity = entity->next;
    return entity;
}

static CUresult function_of(const void *host, CUfunction *function)
{
    struct entity *entity = find(host);
    CUresult code = ready();
    if (code != CUDA_SUCCESS)
        return code;
    if (entity == NULL)
        return (CUresult)cudaErrorInvalidDeviceFunction;
    if (entity->function == NULL)
        code = cuModuleGetFunction(&entity->function, entity->image->module, entity->name);
    *function = entity->function;
    return code;
}

static CUresult variable_of(const void *host, CUdeviceptr *address, size_t *bytes)
{
    struct entity *entity = find(host);
    CUresult code = ready();
    if (code != CUDA_SUCCESS)
        return code;
    if (entity == NULL)
        return (CUresult)cudaErrorInvalidSymbol;
    return cuModuleGetGlobal(address, bytes, entity->image->module, entity->name);
}

/* ---- launches */

static __thread struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} configuration;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    configuration.grid = grid;
    configuration.block = block;
    configuration.shared = shared;
    configuration.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *grid = configuration.grid;
    *block = configuration.block;
    *shared = configuration.shared;
    *(void **)stream = configuration.stream;
    return cudaSuccess;
}

static cudaError_t launch(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream,
                          CUresult (*how)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **))
{
    CUfunction function = NULL;
    CUresult code = function_of(host, &function);
    if (code == CUDA_SUCCESS)
        code = how(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, stream, arguments);
    return result(code);
}

static CUresult plain(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      CUstream stream, void **arguments)
{
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, arguments, NULL);
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(host, grid, block, arguments, shared, stream, plain);
}

cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(host, grid, block, arguments, shared, stream, cuLaunchCooperativeKernel);
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    *kernel = (cudaKernel_t)(uintptr_t)host;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch((const void *)kernel, grid, block, arguments, shared, stream, plain);
}

cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute, int value)
{
    CUfunction function = NULL;
    CUresult code = function_of(host, &function);
    return result(code != CUDA_SUCCESS ? code : cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads, size_t shared)
{
    CUfunction function = NULL;
    CUresult code = function_of(host, &function);
    return result(code != CUDA_SUCCESS ? code : cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared));
}

/* ---- memory */

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    READY;
    if (bytes == 0) {
        *pointer = NULL;
        return cudaSuccess;
    }
    return result(cuMemAlloc((CUdeviceptr *)pointer, bytes));
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    READY;
    return result(cuMemAllocManaged((CUdeviceptr *)pointer, bytes, flags));
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    READY;
    return result(cuMemAllocPitch((CUdeviceptr *)pointer, pitch, width, height, 4));
}

cudaError_t cudaFree(void *pointer)
{
    READY;
    return pointer == NULL ? cudaSuccess : result(cuMemFree((CUdeviceptr)pointer));
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    READY;
    return result(cuMemAllocAsync((CUdeviceptr *)pointer, bytes, stream));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    READY;
    return result(cuMemFreeAsync((CUdeviceptr)pointer, stream));
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    READY;
    return result(cuMemAllocHost(pointer, bytes));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    READY;
    return result(cuMemHostAlloc(pointer, bytes, flags));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    READY;
    return result(cuMemHostGetDevicePointer((CUdeviceptr *)device, host, flags));
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    READY;
    return result(cuMemHostGetFlags(flags, host));
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags)
{
    READY;
    return result(cuMemHostRegister(host, bytes, flags));
}

cudaError_t cudaHostUnregister(void *host)
{
    READY;
    return result(cuMemHostUnregister(host));
}

cudaError_t cudaFreeHost(void *pointer)
{
    READY;
    return result(cuMemFreeHost(pointer));
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    READY;
    return result(cuMemGetInfo(available, total));
}

/* ---- data */

cudaError_t cudaMemcpy(void *destination, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    READY;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return result(cuMemcpyHtoD((CUdeviceptr)destination, source, bytes));
    case cudaMemcpyDeviceToHost:
        return result(cuMemcpyDtoH(destination, (CUdeviceptr)source, bytes));
    case cudaMemcpyDeviceToDevice:
        return result(cuMemcpyDtoD((CUdeviceptr)destination, (CUdeviceptr)source, bytes));
    default:
        return result(cuMemcpy((CUdeviceptr)destination, (CUdeviceptr)source, bytes));
    }
}

cudaError_t cudaMemcpyAsync(void *destination, const void *source, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    READY;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return result(cuMemcpyHtoDAsync((CUdeviceptr)destination, source, bytes, stream));
    case cudaMemcpyDeviceToHost:
        return result(cuMemcpyDtoHAsync(destination, (CUdeviceptr)source, bytes, stream));
    case cudaMemcpyDeviceToDevice:
        return result(cuMemcpyDtoDAsync((CUdeviceptr)destination, (CUdeviceptr)source, bytes, stream));
    default:
        return result(cuMemcpyAsync((CUdeviceptr)destination, (CUdeviceptr)source, bytes, stream));
    }
}

static CUmemorytype place(enum cudaMemcpyKind kind, int source)
{
    if (kind == cudaMemcpyDefault)
        return CU_MEMORYTYPE_UNIFIED;
    if (kind == cudaMemcpyHostToDevice)
        return source ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    if (kind == cudaMemcpyDeviceToHost)
        return source ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    return kind == cudaMemcpyHostToHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

cudaError_t cudaMemcpy2D(void *destination, size_t destinationPitch, const void *source, size_t sourcePitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy = {
        .srcMemoryType = place(kind, 1),
        .srcHost = source,
        .srcDevice = (CUdeviceptr)source,
        .srcPitch = sourcePitch,
        .dstMemoryType = place(kind, 0),
        .dstHost = destination,
        .dstDevice = (CUdeviceptr)destination,
        .dstPitch = destinationPitch,
        .WidthInBytes = width,
        .Height = height,
    };
    READY;
    return result(cuMemcpy2DUnaligned(&copy));
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    READY;
    return result(cuMemsetD8((CUdeviceptr)pointer, (unsigned char)value, bytes));
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    READY;
    return result(cuMemsetD8Async((CUdeviceptr)pointer, (unsigned char)value, bytes, stream));
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    READY;
    return result(cuMemsetD2D8((CUdeviceptr)pointer, pitch, (unsigned char)value, width, height));
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    size_t bytes;
    return result(variable_of(symbol, (CUdeviceptr *)pointer, &bytes));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    CUdeviceptr address;
    return result(variable_of(symbol, &address, bytes));
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    char *address;
    cudaError_t code = cudaGetSymbolAddress((void **)&address, symbol);
    return code != cudaSuccess ? code : cudaMemcpy(address + offset, source, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *destination, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    char *address;
    cudaError_t code = cudaGetSymbolAddress((void **)&address, symbol);
    return code != cudaSuccess ? code : cudaMemcpy(destination, address + offset, bytes, kind);
}

/* ---- order */

cudaError_t cudaDeviceSynchronize(void)
{
    READY;
    return result(cuCtxSynchronize());
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    READY;
    return result(cuStreamCreate(stream, CU_STREAM_DEFAULT));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    READY;
    return result(cuStreamCreate(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    READY;
    return result(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    READY;
    return result(cuStreamGetPriority(stream, priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    READY;
    return result(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    READY;
    return result(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    READY;
    return result(cuStreamDestroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    READY;
    return result(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    READY;
    return result(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    READY;
    return result(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags)
{
    READY;
    return result(cuStreamAddCallback(stream, (CUstreamCallback)callback, data, flags));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    READY;
    return result(cuLaunchHostFunc(stream, function, data));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    READY;
    return result(cuEventCreate(event, CU_EVENT_DEFAULT));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    READY;
    return result(cuEventCreate(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    READY;
    return result(cuEventDestroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    READY;
    return result(cuEventRecord(event, stream));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    READY;
    return result(cuEventSynchronize(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    READY;
    return result(cuEventQuery(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start_, cudaEvent_t end)
{
    READY;
    return result(cuEventElapsedTime(milliseconds, start_, end));
}

/* ---- devices, limits, errors */

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    READY;
    return result(cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    READY;
    return result(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    READY;
    return result(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t code = last;
    last = cudaSuccess;
    return code;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const char *name = "unknown";
    cuGetErrorName((CUresult)error, &name);
    return name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = "unknown";
    cuGetErrorString((CUresult)error, &text);
    return text;
}
