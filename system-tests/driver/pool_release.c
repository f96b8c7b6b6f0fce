/* What is freed in the order of a stream goes back when somebody waits, also when the stream had nothing to do. */
#include "check.h"

int main(void)
{
    size_t before, after, total;
    CUdeviceptr memory, again;
    open_device();
    CHECK(cuCtxSynchronize());
    CHECK(cuMemGetInfo(&before, &total));
    size_t most = before - ((size_t)1 << 20);
    CHECK(cuMemAllocAsync(&memory, most, NULL));
    CHECK(cuMemFreeAsync(memory, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemGetInfo(&after, &total));
    REQUIRE(after == before, "%zu bytes were free, then %zu", before, after);
    /* Without a wait: memory of another kind may need what is idle in the pool. */
    CHECK(cuMemAllocAsync(&memory, most, NULL));
    CHECK(cuMemFreeAsync(memory, NULL));
    CHECK(cuMemAlloc(&again, most));
    CHECK(cuMemFree(again));
    printf("ok pool_release\n");
    return 0;
}
