/* role: helper */
/* Loads machine code that was compiled in a slice, and runs it: load_cubin <file>. The kernel is 'twice' of one float.
 *
 * Not a test by itself. */
#include "check.h"

static void try_module(CUmodule module, const char *how)
{
    float number = 21;
    CUdeviceptr memory = allocate(sizeof number);
    CHECK(cuMemcpyHtoD(memory, &number, sizeof number));
    CHECK(LAUNCH(kernel(module, "twice"), 1, 1, 0, NULL, &memory));
    CHECK(cuMemcpyDtoH(&number, memory, sizeof number));
    REQUIRE(number == 42, "%s: %f", how, (double)number);
    CHECK(cuMemFree(memory));
    CHECK(cuModuleUnload(module));
}

int main(int count, char **words)
{
    CUcontext context;
    CUmodule module;
    CUlinkState link;
    void *linked;
    size_t bytes;
    REQUIRE(count == 2, "which file?");
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoad(&module, words[1]));
    try_module(module, "loaded");
    CHECK(cuLinkCreate(0, NULL, NULL, &link));
    CHECK(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, words[1], 0, NULL, NULL));
    CHECK(cuLinkComplete(link, &linked, &bytes));
    CHECK(cuModuleLoadData(&module, linked));
    CHECK(cuLinkDestroy(link));
    try_module(module, "linked");
    printf("ok\n");
    return 0;
}
