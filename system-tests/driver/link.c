/* Several texts linked to one module; what is missing is named. */
// stderr: facet: code refused: not supported: line
#include "check.h"

PTX(linked, "linked.ptx");
PTX(parts, "parts.ptx");

int main(void)
{
    CUlinkState state;
    CUmodule module;
    void *image = NULL;
    size_t bytes = 0;
    char information[1024] = "", errors[1024] = "";
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_LOG_VERBOSE};
    void *values[] = {information, (void *)(uintptr_t)sizeof information, errors, (void *)(uintptr_t)sizeof errors, (void *)(uintptr_t)1};
    open_device();
    CHECK(cuLinkCreate(5, options, values, &state));
    CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)linked, strlen(linked) + 1, "linked", 0, NULL, NULL));
    CHECK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, PTX_DIRECTORY "/parts.ptx", 0, NULL, NULL));
    CHECK(cuLinkComplete(state, &image, &bytes));
    REQUIRE(image != NULL && bytes > 0, "no image");
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuLinkDestroy(state));
    int data[32];
    for (int i = 0; i < 32; i++)
        data[i] = i;
    CUdeviceptr device = allocate(sizeof data), number;
    CHECK(cuMemcpyHtoD(device, data, sizeof data));
    CHECK(LAUNCH(kernel(module, "apply"), 1, 32, 0, NULL, &device));
    CHECK(cuMemcpyDtoH(data, device, sizeof data));
    for (int i = 0; i < 32; i++)
        REQUIRE(data[i] == 2 * i + 5, "element %d is %d", i, data[i]);
    CHECK(cuModuleGetGlobal(&number, NULL, module, "shared_number"));

    /* Without its other half. The sizes were answers as well, so they are given again. */
    values[1] = (void *)(uintptr_t)sizeof information;
    values[3] = (void *)(uintptr_t)sizeof errors;
    CHECK(cuLinkCreate(5, options, values, &state));
    CUresult added = cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)linked, strlen(linked) + 1, "linked", 0, NULL, NULL);
    CUresult completed = added == CUDA_SUCCESS ? cuLinkComplete(state, &image, &bytes) : added;
    REQUIRE(completed != CUDA_SUCCESS, "half of a program was linked");
    REQUIRE(strstr(errors, "twice") != NULL || strstr(errors, "shared_number") != NULL, "the log does not name what is missing: '%s'", errors);
    CHECK(cuLinkDestroy(state));
    printf("ok linked\n");
    return 0;
}
