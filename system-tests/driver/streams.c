/* Streams, events and host functions by the driver API. */
#include "check.h"

#include <unistd.h>

static unsigned order[3];
static int called;

static void function(void *data)
{
    order[called++ % 3] = *(volatile unsigned *)data;
}

static CUresult told = CUDA_ERROR_UNKNOWN;

static void callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    told = status;
    usleep(10000);
    *(int *)data = 1;
}

int main(void)
{
    CUcontext context = open_device(), of = NULL;
    CUmodule module = load_kernels();
    CUfunction step = kernel(module, "step"), wait_for = kernel(module, "wait_for");
    CUstream one, two;
    CUevent start, end, plain;
    int least, greatest, priority, finished = 0;
    unsigned flags, *value, expected = 1;
    volatile int *flag;
    CHECK(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(cuStreamCreateWithPriority(&one, CU_STREAM_NON_BLOCKING, greatest));
    CHECK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamGetPriority(one, &priority));
    CHECK(cuStreamGetFlags(one, &flags));
    REQUIRE(priority == greatest && flags == CU_STREAM_NON_BLOCKING, "priority %d, flags %u", priority, flags);
    CHECK(cuStreamGetCtx(one, &of));
    REQUIRE(of == context, "another context");
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
    CHECK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    CHECK(cuMemHostAlloc((void **)&value, 4, CU_MEMHOSTALLOC_DEVICEMAP));
    CHECK(cuMemHostAlloc((void **)(uintptr_t)&flag, 4, CU_MEMHOSTALLOC_DEVICEMAP));
    *value = 1;
    *flag = 0;

    CHECK(cuEventRecord(start, one));
    for (unsigned i = 0; i < 3; i++) {
        CHECK(LAUNCH(step, 1, 1, 0, one, &value, &i));
        CHECK(cuLaunchHostFunc(one, function, value));
    }
    CHECK(cuStreamAddCallback(one, callback, &finished, 0));
    CHECK(cuEventRecord(end, one));
    CHECK(cuEventSynchronize(end));
    for (unsigned i = 0; i < 3; i++) {
        expected = expected * 31 + i;
        REQUIRE(order[i] == expected, "host function %u saw %u, expected %u", i, order[i], expected);
    }
    REQUIRE(finished == 1 && told == CUDA_SUCCESS, "the callback: %d, %d", finished, told);
    float ms = -1;
    CHECK(cuEventElapsedTime(&ms, start, end));
    REQUIRE(ms >= 9.5f && ms < 20000, "%g ms", (double)ms);

    CHECK(LAUNCH(wait_for, 1, 1, 0, one, &flag));
    CHECK(cuEventRecord(plain, one));
    CHECK(cuStreamWaitEvent(two, plain, 0));
    unsigned number = 9;
    CHECK(LAUNCH(step, 1, 1, 0, two, &value, &number));
    EXPECT(cuStreamQuery(two), CUDA_ERROR_NOT_READY);
    EXPECT(cuEventQuery(plain), CUDA_ERROR_NOT_READY);
    REQUIRE(*(volatile unsigned *)value == expected, "it did not wait");
    *flag = 1;
    CHECK(cuStreamSynchronize(two));
    REQUIRE(*value == expected * 31 + 9, "value %u", *value);
    CHECK(cuEventQuery(plain));
    EXPECT(cuEventElapsedTime(&ms, start, plain), CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuStreamDestroy(one));
    CHECK(cuStreamDestroy(two));
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(end));
    REQUIRE(cuStreamQuery(one) != CUDA_SUCCESS, "a destroyed stream answers");
    printf("ok streams\n");
    return 0;
}
