/* What is not supported says so, and what was going on goes on. */
// stderr: facet: the call cuMulticastCreate is not supported; it answers so
#include "check.h"

int main(void)
{
    CUmemGenericAllocationHandle group;
    CUstream stream;
    const char *text = NULL;
    open_device();
    CHECK(cuStreamCreate(&stream, 0));
    EXPECT(cuMulticastCreate(&group, NULL), CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuGetErrorString(CUDA_ERROR_NOT_SUPPORTED, &text));
    REQUIRE(text != NULL && strlen(text) > 0, "no text");
    EXPECT(cuGetErrorString((CUresult)4242, &text), CUDA_ERROR_INVALID_VALUE);
    REQUIRE(text == NULL, "a text for an error that does not exist");
    EXPECT(cuGetErrorName((CUresult)4242, &text), CUDA_ERROR_INVALID_VALUE);
    CUdeviceptr memory = allocate(64);
    CHECK(cuMemsetD8Async(memory, 1, 64, stream));
    CHECK(cuStreamSynchronize(stream));
    printf("ok refused\n");
    return 0;
}
