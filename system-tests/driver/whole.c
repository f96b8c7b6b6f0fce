/* role: helper */
/* Launches and loads in the ways that do not come in ranges, each once. Not a test by itself: who runs it looks at what is told of it. */
#include "check.h"

static const char text[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry plain() { .reg .b32 %r; mov.u32 %r, %ctaid.x; ret; }\n"
    ".visible .entry odd() { .reg .b32 %r; mov.u32 %r, %smid; ret; }\n";

static void graph(CUfunction function)
{
    CUgraph graph;
    CUgraphExec exec;
    CUstream stream;
    CHECK(cuStreamCreate(&stream, 0));
    CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK(cuLaunchKernel(function, 4, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    CHECK(cuStreamEndCapture(stream, &graph));
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
}

int main(void)
{
    static const char machine_code[64] = "\177ELF\2\1\1";
    CUmodule module, none;
    open_device();
    CHECK(cuModuleLoadData(&module, text));
    CUfunction function = kernel(module, "plain");
    REQUIRE(cuModuleLoadData(&none, machine_code) != CUDA_SUCCESS, "half a header is loaded");
    EXPECT(cuModuleLoad(&none, "/nowhere"), CUDA_ERROR_FILE_NOT_FOUND);
    graph(function);
    CHECK(cuLaunchCooperativeKernel(function, 4, 1, 1, 1, 1, 1, 0, NULL, NULL));
    CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig config = {
        .gridDimX = 4, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1, .attrs = &cooperative, .numAttrs = 1};
    CHECK(cuLaunchKernelEx(&config, function, NULL, NULL));
    CHECK(cuLaunchKernel(kernel(module, "odd"), 4, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK(cuCtxSynchronize());
    printf("ok\n");
    return 0;
}
