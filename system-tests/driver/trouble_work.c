/* Does ordinary work of all kinds until it is killed, or until its input ends when it is told to "watch";
 * prints a line when it is under way. Not a test by itself. */
/* role: helper */
#include <poll.h>

#include "check.h"

PTX(trouble, "trouble.ptx");

static void nothing(void *unused)
{
    (void)unused;
}

int main(int argc, char **argv)
{
    bool watch = argc > 1 && strcmp(argv[1], "watch") == 0;
    CUmodule module;
    CUstream stream;
    CUevent event;
    static unsigned host[4096];
    open_device();
    CHECK(cuModuleLoadData(&module, trouble));
    CUfunction write = kernel(module, "write_pattern");
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&event, 0));
    long count = 4096;
    for (unsigned round = 1;; round++) {
        CUdeviceptr memory = allocate(sizeof host), pinned, more;
        void *staging;
        CHECK(LAUNCH(write, 8, 64, 0, stream, &memory, &count, &round));
        CHECK(cuEventRecord(event, stream));
        CHECK(cuMemcpyDtoHAsync(host, memory, sizeof host, stream));
        CHECK(cuLaunchHostFunc(stream, nothing, NULL));
        CHECK(cuStreamSynchronize(stream));
        REQUIRE(host[0] == round && host[4095] == round, "round %u: %u %u", round, host[0], host[4095]);
        CHECK(cuMemHostAlloc(&staging, 1 << 16, CU_MEMHOSTALLOC_DEVICEMAP));
        CHECK(cuMemHostGetDevicePointer(&pinned, staging, 0));
        CHECK(cuMemcpyDtoD(pinned, memory, 4096));
        CHECK(cuMemAllocManaged(&more, 1 << 16, CU_MEM_ATTACH_GLOBAL));
        CHECK(cuMemsetD32Async(more, round, 1024, stream));
        CHECK(cuStreamSynchronize(stream));
        REQUIRE(*(unsigned *)(uintptr_t)more == round, "managed memory in round %u", round);
        CHECK(cuMemFree(more));
        CHECK(cuMemFreeHost(staging));
        CHECK(cuMemFree(memory));
        if (round == 1) {
            printf("works\n");
            fflush(stdout);
        }
        struct pollfd input = {.fd = 0, .events = POLLIN};
        if (watch && poll(&input, 1, 0) != 0) {
            printf("ok %u rounds\n", round);
            return 0;
        }
    }
}
