/* Contexts: a stack for each thread, memory that belongs to one of them, the end of one. */
#include "check.h"

#include <pthread.h>

static CUcontext first, second;

static void *other_thread(void *data)
{
    CUcontext current = first;
    (void)data;
    CHECK(cuCtxGetCurrent(&current));
    REQUIRE(current == NULL, "a new thread has a context");
    CUdeviceptr pointer;
    EXPECT(cuMemAlloc(&pointer, 16), CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxSetCurrent(first));
    CHECK(cuMemAlloc(&pointer, 16));
    CHECK(cuMemFree(pointer));
    CHECK(cuCtxSetCurrent(NULL));
    return NULL;
}

/* As often as not even one slice's share of contexts would allow if one of them stayed. */
static void attach_and_detach(CUdevice device)
{
    CUcontext context, again, current;
    for (int i = 0; i < 200; i++) {
        CHECK(cuCtxCreate_v2(&context, 0, device));
        CHECK(cuCtxDetach(context));
    }
    CHECK(cuCtxCreate_v2(&context, 0, device));
    CHECK(cuCtxAttach(&again, 0));
    REQUIRE(again == context, "attached to another one");
    EXPECT(cuCtxAttach(&again, 1), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuCtxDetach(context));
    CUdeviceptr pointer = allocate(4096); // one holder is left
    CHECK(cuMemFree(pointer));
    CHECK(cuCtxDetach(context));
    EXPECT(cuCtxDetach(context), CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxGetCurrent(&current));
    REQUIRE(current == NULL, "a context that everybody left is current");
    EXPECT(cuCtxAttach(&again, 0), CUDA_ERROR_INVALID_CONTEXT);
}

int main(void)
{
    CUdevice device;
    CUcontext current, popped;
    int count = 0;
    EXPECT(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0));
    EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuDeviceGet(&device, 100), CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGet(&device, 0));
    EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);

    CHECK(cuCtxCreate_v2(&first, 0, device));
    CHECK(cuCtxGetCurrent(&current));
    REQUIRE(current == first, "a new context is current");
    CUdeviceptr a = allocate(4096);
    CHECK(cuMemsetD32(a, 11, 1024));
    CHECK(cuCtxCreate_v2(&second, 0, device));
    REQUIRE(first != second, "the same context twice");
    CUdeviceptr b = allocate(4096);
    CHECK(cuMemsetD32(b, 22, 1024));
    CUmodule module = load_kernels();
    CUfunction scale = kernel(module, "scale");
    int elements = 1024, host[1024];
    CHECK(LAUNCH(scale, 8, 128, 0, NULL, &b, &elements));
    CHECK(cuMemcpyDtoH(host, b, sizeof host));
    REQUIRE(host[0] == 22 * 3 + 1 && host[1023] == 22 * 3 + 1000, "in the second: %d %d", host[0], host[1023]);

    CHECK(cuCtxPopCurrent(&popped));
    REQUIRE(popped == second, "popped another one");
    CHECK(cuCtxGetCurrent(&current));
    REQUIRE(current == first, "below it is another one");
    CHECK(cuMemcpyDtoH(host, a, sizeof host));
    REQUIRE(host[0] == 11 && host[1023] == 11, "in the first: %d", host[0]);
    CHECK(cuCtxPushCurrent(second));
    CHECK(cuCtxPushCurrent(first));
    CUdevice of;
    CHECK(cuCtxGetDevice(&of));
    REQUIRE(of == device, "device %d", of);
    unsigned version = 0;
    CHECK(cuCtxGetApiVersion(first, &version));
    REQUIRE(version >= 3010, "version %u", version);
    CHECK(cuCtxPopCurrent(&popped));
    CHECK(cuCtxPopCurrent(NULL));

    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);

    CHECK(cuCtxDestroy(second));
    REQUIRE(cuCtxSetCurrent(second) != CUDA_SUCCESS, "a destroyed context became current");
    CHECK(cuMemcpyDtoH(host, a, sizeof host)); // the other one lives on
    REQUIRE(host[512] == 11, "after destroying the second: %d", host[512]);
    CHECK(cuCtxDestroy(first));
    CHECK(cuCtxGetCurrent(&current));
    REQUIRE(current == NULL, "a destroyed context is current");
    attach_and_detach(device);
    printf("ok contexts\n");
    return 0;
}
