/* Who has waited for a stream that waited for an event finds the event at its end. */
#include "check.h"

enum { TIMES = 400 };

int main(void)
{
    open_device();
    CUmodule module = load_kernels();
    CUfunction step = kernel(module, "step");
    CUstream one, two;
    CUevent event;
    unsigned *value, expected = 1;
    CHECK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CHECK(cuMemHostAlloc((void **)&value, 4, CU_MEMHOSTALLOC_DEVICEMAP));
    *value = 1;
    for (unsigned i = 0; i < TIMES; i++) {
        CHECK(LAUNCH(step, 1, 1, 0, one, &value, &i));
        CHECK(cuEventRecord(event, one));
        CHECK(cuStreamWaitEvent(two, event, 0));
        expected = expected * 31 + i;
        if (i % 2 != 0) {
            CHECK(LAUNCH(step, 1, 1, 0, two, &value, &i));
            expected = expected * 31 + i;
        }
        CHECK(cuStreamSynchronize(two));
        CHECK(cuEventQuery(event));
        REQUIRE(*(volatile unsigned *)value == expected, "at %u: value %u", i, *value);
    }
    printf("ok waited events\n");
    return 0;
}
