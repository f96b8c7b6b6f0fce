/* The runtime on a driver that only writes down what it is asked. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "../libcudart/runtime.h"
#include "check.h"
#include "recording_driver.h"

/* ---- a program */

static char kernel_a, kernel_b, kernel_missing, variable, wrapper, other_wrapper;
static void *managed_pointer;
static const dim3 one = {1, 1, 1};

static void **program(void)
{
    void **handle = facet___cudaRegisterFatBinary(&wrapper);
    facet___cudaRegisterFunction(handle, &kernel_a, NULL, "kernel a", -1, NULL, NULL, NULL, NULL, NULL);
    facet___cudaRegisterFunction(handle, &kernel_b, NULL, "kernel b", -1, NULL, NULL, NULL, NULL, NULL);
    facet___cudaRegisterFunction(handle, &kernel_missing, NULL, "nowhere", -1, NULL, NULL, NULL, NULL, NULL);
    facet___cudaRegisterVar(handle, &variable, NULL, "variable", 0, 4, 0, 0);
    facet___cudaRegisterManagedVar(handle, &managed_pointer, NULL, "managed", 0, 4, 0, 0);
    facet___cudaRegisterFatBinaryEnd(handle);
    return handle;
}

static cudaError_t launch(const void *kernel)
{
    return facet_cudaLaunchKernel(false, kernel, one, one, NULL, 0, NULL);
}

static void registration_is_silent(void)
{
    CHECK_EQUAL(0, inits);
    CHECK_EQUAL(0, loads);
    CHECK_EQUAL(0, retained);
}

static void a_binary_may_go_unused(void)
{
    facet___cudaUnregisterFatBinary(facet___cudaRegisterFatBinary(&other_wrapper));
    CHECK_EQUAL(0, inits);
    CHECK_EQUAL(0, early);
}

static void launches_load_once(void)
{
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    CHECK_EQUAL(1, inits);
    CHECK_EQUAL(0, early);
    CHECK_EQUAL(1, loads);
    CHECK_EQUAL(1, retained);
    CHECK_EQUAL(cudaSuccess, launch(&kernel_b));
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    CHECK_EQUAL(1, loads);
    CHECK_EQUAL(3, launches);
    /* Managed variables have their address as soon as the module is there. */
    CHECK(managed_pointer == &managed_value);
}

static void kernels_have_handles(void)
{
    cudaKernel_t kernel = NULL;
    CHECK_EQUAL(cudaSuccess, facet___cudaGetKernel(&kernel, &kernel_a));
    CHECK_EQUAL(cudaSuccess, facet___cudaLaunchKernel(true, kernel, one, one, NULL, 0, NULL));
    CHECK(launched_in == cudaStreamPerThread);
    CHECK_EQUAL(cudaSuccess, launch(kernel));
    CHECK(launched_in == NULL);
    const char *name = NULL;
    CHECK_EQUAL(cudaSuccess, facet_cudaFuncGetName(&name, kernel));
    CHECK_TEXT("kernel a", name);
}

static void errors_are_latched(void)
{
    CHECK_EQUAL(cudaSuccess, facet_cudaGetLastError());
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&other_wrapper));
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, facet_cudaPeekAtLastError());
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, facet_cudaGetLastError());
    CHECK_EQUAL(cudaSuccess, facet_cudaGetLastError());
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&kernel_missing));
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, facet_cudaGetLastError());
    CHECK_EQUAL(cudaErrorInvalidConfiguration, facet_cudaLaunchKernel(false, &kernel_a, one, (dim3){2000, 1, 1}, NULL, 0, NULL));
    /* A success does not clear it. */
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    CHECK_EQUAL(cudaErrorInvalidConfiguration, facet_cudaGetLastError());
    CHECK_EQUAL(cudaErrorNotReady, facet_latch(cudaErrorNotReady)); /* an answer, no failure */
    CHECK_EQUAL(cudaSuccess, facet_cudaGetLastError());
}

static void *other_thread(void *unused)
{
    (void)unused;
    CHECK_EQUAL(cudaSuccess, facet_cudaPeekAtLastError());
    return NULL;
}

static void faults_stay(void)
{
    answer = CUDA_ERROR_ILLEGAL_ADDRESS;
    CHECK_EQUAL(700, facet_cudaDeviceSynchronize());
    CHECK_EQUAL(700, facet_cudaGetLastError());
    CHECK_EQUAL(700, facet_cudaGetLastError());
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    answer = CUDA_SUCCESS;
    CHECK_EQUAL(cudaSuccess, facet_cudaDeviceReset());
    CHECK_EQUAL(cudaSuccess, facet_cudaGetLastError());
    /* A new context: the module is loaded anew. */
    CUfunction before = launched;
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    CHECK_EQUAL(2, loads);
    CHECK(launched != before);
}

static void *after_reset(void *ready)
{
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    pthread_barrier_wait(ready);
    pthread_barrier_wait(ready); /* the context has been reset */
    CHECK_EQUAL(cudaSuccess, launch(&kernel_a));
    return NULL;
}

static void a_reset_is_seen_by_other_threads(void)
{
    pthread_barrier_t ready;
    pthread_barrier_init(&ready, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, after_reset, &ready);
    pthread_barrier_wait(&ready);
    CHECK_EQUAL(cudaSuccess, facet_cudaDeviceReset());
    pthread_barrier_wait(&ready);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&ready);
}

static void variables(void)
{
    void *address = NULL;
    size_t bytes = 0;
    CHECK_EQUAL(cudaSuccess, facet_cudaGetSymbolAddress(&address, &variable));
    CHECK(address == &managed_value);
    CHECK_EQUAL(cudaSuccess, facet_cudaGetSymbolSize(&bytes, &variable));
    CHECK_EQUAL(sizeof managed_value, bytes);
    /* A managed variable is named by where it is. */
    CHECK_EQUAL(cudaSuccess, facet_cudaGetSymbolAddress(&address, managed_pointer));
    CHECK_EQUAL(cudaErrorInvalidSymbol, facet_cudaGetSymbolAddress(&address, &kernel_a));
    CHECK_EQUAL(cudaErrorInvalidValue, facet_cudaMemcpyToSymbol(false, &variable, &bytes, 5, 0, cudaMemcpyHostToDevice));
    CHECK_EQUAL(cudaErrorInvalidMemcpyDirection, facet_cudaMemcpyToSymbol(false, &variable, &bytes, 4, 0, cudaMemcpyDeviceToHost));
    facet_cudaGetLastError();
}

static void configurations_nest(void)
{
    dim3 grid;
    dim3 block;
    size_t shared;
    cudaStream_t stream;
    CHECK_EQUAL(cudaErrorMissingConfiguration, facet___cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    facet_cudaGetLastError();
    for (unsigned i = 1; i <= 3; i++)
        CHECK_EQUAL(0, facet___cudaPushCallConfiguration((dim3){i, i, i}, one, i * 10, (cudaStream_t)(uintptr_t)i));
    for (unsigned i = 3; i >= 1; i--) {
        CHECK_EQUAL(cudaSuccess, facet___cudaPopCallConfiguration(&grid, &block, &shared, &stream));
        CHECK_EQUAL(i, grid.y);
        CHECK_EQUAL(i * 10, shared);
        CHECK(stream == (cudaStream_t)(uintptr_t)i);
    }
    CHECK_EQUAL(cudaErrorMissingConfiguration, facet___cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    facet_cudaGetLastError();
}

static void no_code_for_this_device(void)
{
    void **handle = facet___cudaRegisterFatBinary(&other_wrapper);
    facet___cudaRegisterFunction(handle, &other_wrapper, NULL, "other", -1, NULL, NULL, NULL, NULL, NULL);
    load_answer = CUDA_ERROR_NO_BINARY_FOR_GPU;
    int before = loads;
    CHECK_EQUAL(cudaErrorNoKernelImageForDevice, launch(&other_wrapper));
    CHECK_EQUAL(cudaErrorNoKernelImageForDevice, launch(&other_wrapper));
    CHECK_EQUAL(before + 1, loads); /* asked once */
    CHECK_EQUAL(cudaErrorNoKernelImageForDevice, facet_cudaGetLastError());
    load_answer = CUDA_SUCCESS;
    facet___cudaUnregisterFatBinary(handle);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&other_wrapper));
    facet_cudaGetLastError();
}

static void many_kernels(void)
{
    enum { MANY = 20000 };
    static char stubs[MANY];
    void **handle = facet___cudaRegisterFatBinary(&other_wrapper);
    for (int i = 0; i < MANY; i++)
        facet___cudaRegisterFunction(handle, &stubs[i], NULL, "one of many", -1, NULL, NULL, NULL, NULL, NULL);
    int found = 0;
    for (int i = 0; i < MANY; i++)
        found += facet_registry_find(&stubs[i]) != NULL && facet_registry_find(&stubs[i])->key == &stubs[i];
    CHECK_EQUAL(MANY, found);
    CHECK(facet_registry_find(&kernel_a) != NULL);
    facet___cudaUnregisterFatBinary(handle);
    CHECK(facet_registry_find(&stubs[7]) == NULL);
    /* Loaded once more at the same place. */
    handle = facet___cudaRegisterFatBinary(&other_wrapper);
    facet___cudaRegisterFunction(handle, &stubs[7], NULL, "again", -1, NULL, NULL, NULL, NULL, NULL);
    CHECK_EQUAL(cudaSuccess, launch(&stubs[7]));
    facet___cudaUnregisterFatBinary(handle);
    facet___cudaUnregisterFatBinary(handle); /* at exit some programs do it twice */
}

static void nothing_is_allocated_without_an_error(void)
{
    void *pointer = &pointer;
    CHECK_EQUAL(cudaSuccess, facet_cudaMalloc(&pointer, 0));
    CHECK(pointer == NULL);
    CHECK_EQUAL(cudaErrorInvalidValue, facet_cudaMalloc(NULL, 1));
    facet_cudaGetLastError();
}

static void properties(void)
{
    struct cudaDeviceProp_11 eleven;
    struct cudaDeviceProp_12 twelve;
    struct cudaDeviceProp_13 thirteen;
    CHECK_EQUAL(cudaSuccess, facet_cudaGetDeviceProperties_11(&eleven, 0));
    CHECK_EQUAL(cudaSuccess, facet_cudaGetDeviceProperties_12(&twelve, 0));
    CHECK_EQUAL(cudaSuccess, facet_cudaGetDeviceProperties_13(&thirteen, 0));
    CHECK_EQUAL(cudaErrorInvalidDevice, facet_cudaGetDeviceProperties_13(&thirteen, 1));
    facet_cudaGetLastError();
    CHECK_TEXT("a device", eleven.name);
    CHECK_EQUAL((size_t)5 << 30, twelve.totalGlobalMem);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_CLOCK_RATE, eleven.clockRate);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_CLOCK_RATE, twelve.clockRate);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, thirteen.maxGridSize[2]);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, eleven.reservedSharedMemPerBlock);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, twelve.unifiedFunctionPointers);
    CHECK_EQUAL(1000 + CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED, thirteen.hostNumaMultinodeIpcSupported);
    CHECK_EQUAL(0, twelve.reserved[0]);
    /* sizeof(cudaDeviceProp) of CUDA 11.8 and of 12.x */
    CHECK_EQUAL(728, sizeof eleven);
    CHECK_EQUAL(1032, sizeof twelve);
}

static void launches_are_quick(void)
{
    enum { LAUNCHES = 1000000 };
    struct timespec start;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < LAUNCHES; i++)
        launch(&kernel_a);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double nanoseconds = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    printf("cudaLaunchKernel takes %.1f ns besides the driver\n", nanoseconds / LAUNCHES);
    CHECK(nanoseconds / LAUNCHES < 1000); /* 100 is the promise; machines are busy at times */
}

int main(void)
{
    void **handle = program();
    registration_is_silent();
    a_binary_may_go_unused();
    launches_load_once();
    kernels_have_handles();
    errors_are_latched();
    faults_stay();
    a_reset_is_seen_by_other_threads();
    variables();
    configurations_nest();
    no_code_for_this_device();
    many_kernels();
    nothing_is_allocated_without_an_error();
    properties();
    launches_are_quick();
    facet___cudaUnregisterFatBinary(handle);
    CHECK(facet_registry_find(&kernel_a) == NULL);
    return CHECK_RESULT();
}
