/* The first program of everyone, by the driver API. */
#include "check.h"

int main(void)
{
    enum { COUNT = 50021 };
    static float a[COUNT], b[COUNT], c[COUNT];
    int count = COUNT;
    open_device();
    CUfunction add = kernel(load_kernels(), "add");
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i * 0.5f;
        b[i] = (float)(COUNT - i) * 0.25f;
    }
    CUdeviceptr da = allocate(sizeof a), db = allocate(sizeof b), dc = allocate(sizeof c);
    CHECK(cuMemcpyHtoD(da, a, sizeof a));
    CHECK(cuMemcpyHtoD(db, b, sizeof b));
    CHECK(LAUNCH(add, (COUNT + 127) / 128, 128, 0, NULL, &da, &db, &dc, &count));
    CHECK(cuMemcpyDtoH(c, dc, sizeof c));
    for (int i = 0; i < COUNT; i++)
        REQUIRE(c[i] == a[i] + b[i], "element %d is %g", i, (double)c[i]);
    CHECK(cuMemFree(da));
    CHECK(cuMemFree(db));
    CHECK(cuMemFree(dc));
    printf("ok %d sums\n", COUNT);
    return 0;
}
