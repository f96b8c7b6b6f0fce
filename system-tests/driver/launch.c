/* Ways to launch: packed arguments, cuLaunchKernelEx, cooperative; function attributes; occupancy. */
#include "check.h"

int main(void)
{
    CUmodule module;
    CUstream stream;
    int value = 0, number = 77, data[256], count = 256;
    open_device();
    module = load_kernels();
    CUfunction store = kernel(module, "store"), rotate = kernel(module, "rotate"), reverse = kernel(module, "reverse");
    CUdeviceptr device = allocate(sizeof data);
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

    struct {
        CUdeviceptr to;
        int value;
    } packed = {device, 4711};
    size_t bytes = 12;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(&value, device, 4));
    REQUIRE(value == 4711, "packed: %d", value);

    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
    attribute.value.cooperative = 1;
    CUlaunchConfig config = {.gridDimX = 4, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 64, .blockDimY = 1, .blockDimZ = 1, .hStream = stream};
    void *arguments[] = {&device, &number};
    CHECK(cuLaunchKernelEx(&config, store, arguments, NULL));
    for (int i = 0; i < 256; i++)
        data[i] = i;
    CHECK(cuMemcpyHtoDAsync(device, data, sizeof data, stream));
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cuLaunchKernelEx(&config, rotate, arguments, NULL));
    CHECK(cuLaunchCooperativeKernel(rotate, 4, 1, 1, 64, 1, 1, 0, stream, arguments));
    CHECK(cuMemcpyDtoHAsync(data, device, sizeof data, stream));
    CHECK(cuStreamSynchronize(stream));
    for (int i = 0; i < 256; i++)
        REQUIRE(data[i] == (i + 2) % 256, "element %d is %d", i, data[i]);
    EXPECT(cuLaunchCooperativeKernel(rotate, 1000000, 1, 1, 64, 1, 1, 0, stream, arguments), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);

    /* Sizes that no device has. */
    EXPECT(LAUNCH(store, 1, 2048, 0, stream, &device, &number), CUDA_ERROR_INVALID_VALUE);
    EXPECT(LAUNCH(store, 0, 32, 0, stream, &device, &number), CUDA_ERROR_INVALID_VALUE);
    EXPECT(LAUNCH(store, 1, 0, 0, stream, &device, &number), CUDA_ERROR_INVALID_VALUE);
    EXPECT(LAUNCH(store, 1, 32, 1 << 20, stream, &device, &number), CUDA_ERROR_INVALID_VALUE);
    EXPECT(LAUNCH(NULL, 1, 32, 0, stream, &device, &number), CUDA_ERROR_INVALID_HANDLE);

    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, rotate));
    REQUIRE(value == 64, "at most %d threads", value);
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, rotate));
    REQUIRE(value == 75, "PTX version %d", value);
    CHECK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
    CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, reverse));
    REQUIRE(value == 60000, "%d bytes", value);
    CHECK(LAUNCH(reverse, 1, 64, 60000, stream, &device, &count));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    REQUIRE(data[0] == 1 && data[255] == 2, "reversed: %d %d", data[0], data[255]);
    CHECK(cuFuncSetCacheConfig(reverse, CU_FUNC_CACHE_PREFER_SHARED));
    int blocks = 0, size = 0, least = 0;
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate, 64, 0));
    REQUIRE(blocks >= 1, "%d blocks", blocks);
    CHECK(cuOccupancyMaxPotentialBlockSize(&least, &size, rotate, NULL, 0, 0));
    REQUIRE(size > 0 && size <= 64, "block size %d", size);
    CUmodule of;
    CHECK(cuFuncGetModule(&of, store));
    REQUIRE(of == module, "another module");
    printf("ok launches\n");
    return 0;
}
