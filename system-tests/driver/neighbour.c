/* Computes without end and says what came out: a line "<round> <checksum>" a round, after one
 * line with the address of its memory. A round depends on all bits of those before it, back to the last that
 * began anew: every EPOCH-th does. Ends with its input. Not a test by itself. */
/* role: helper */
#include <poll.h>

#include "check.h"

PTX(trouble, "trouble.ptx");

enum { BLOCKS = 16, THREADS = 256, COUNT = BLOCKS * THREADS, STEPS = 1500, EPOCH = 128 };

static uint64_t checksum(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

static bool input_ended(void)
{
    struct pollfd input = {.fd = 0, .events = POLLIN};
    return poll(&input, 1, 0) != 0;
}

static unsigned state[COUNT], marks[1024];
static float numbers[COUNT];

static void begin_anew(void)
{
    for (int i = 0; i < COUNT; i++) {
        state[i] = 2463534242u + 7919u * (unsigned)i;
        numbers[i] = (float)i;
    }
}

/* What is in new memory may be its own, of earlier; never anybody else's. */
static void look_into_new_memory(void)
{
    const unsigned own = 0xabcdef01u;
    static unsigned found[1024];
    CUdeviceptr more = allocate(sizeof found);
    CHECK(cuMemcpyDtoH(found, more, sizeof found));
    for (int i = 0; i < 1024; i++)
        REQUIRE(found[i] == 0 || found[i] == own, "new memory has %08x", found[i]);
    CHECK(cuMemsetD32(more, own, 1024));
    CHECK(cuMemFree(more));
}

int main(void)
{
    CUmodule module;
    CUstream streams[2];
    CUevent copied;
    CUdeviceptr sum, variable;
    unsigned *managed;
    open_device();
    CHECK(cuModuleLoadData(&module, trouble));
    CUfunction mix = kernel(module, "mix");
    CUdeviceptr states = allocate(sizeof state), floats = allocate(sizeof numbers);
    CHECK(cuMemAllocManaged(&sum, 4, CU_MEM_ATTACH_GLOBAL));
    CHECK(cuModuleGetGlobal(&variable, NULL, module, "marks"));
    CHECK(cuStreamCreate(&streams[0], CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&streams[1], CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&copied, CU_EVENT_DISABLE_TIMING));
    managed = (unsigned *)(uintptr_t)sum;
    printf("%llu\n", (unsigned long long)states);
    fflush(stdout);
    int steps = STEPS;
    uint64_t result = 0;
    for (int round = 0; !input_ended(); round++) {
        if (round % EPOCH == 0) {
            begin_anew();
            *managed = 0;
            CHECK(cuMemsetD32(variable, 0, 1024));
            CHECK(cuCtxSynchronize());
            result = 0;
        }
        /* In by one stream, out by another. */
        CHECK(cuMemcpyHtoDAsync(states, state, sizeof state, streams[0]));
        CHECK(cuMemcpyHtoDAsync(floats, numbers, sizeof numbers, streams[0]));
        CHECK(cuEventRecord(copied, streams[0]));
        CHECK(cuStreamWaitEvent(streams[1], copied, 0));
        CHECK(LAUNCH(mix, BLOCKS, THREADS, 0, streams[1], &states, &floats, &sum, &steps));
        CHECK(cuMemcpyDtoHAsync(state, states, sizeof state, streams[1]));
        CHECK(cuMemcpyDtoHAsync(numbers, floats, sizeof numbers, streams[1]));
        CHECK(cuStreamSynchronize(streams[1]));
        CHECK(cuMemcpyDtoH(marks, variable, sizeof marks));
        result = checksum(result, state, sizeof state);
        result = checksum(result, numbers, sizeof numbers);
        result = checksum(result, marks, sizeof marks);
        result = checksum(result, managed, 4);
        if (round % 8 == 0)
            look_into_new_memory();
        printf("%d %016llx\n", round, (unsigned long long)result);
        fflush(stdout);
    }
    return 0;
}
