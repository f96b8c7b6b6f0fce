/* Fills mebibytes of device memory with numbers that follow from a seed and computes with them each time it is told
 * to. Not a test by itself. Lines of its input:
 *
 *   compute   a kernel over all of it, a copy and a fill; says how many microseconds that took
 *   check     compares all of it with what it must be
 */
/* role: helper */
#include "check.h"

#include <time.h>

enum { BLOCKS = 4 };

static CUdeviceptr blocks[BLOCKS], spare;
static int *expected[BLOCKS], *seen;
static int cells; /* of a block */
static CUfunction scale;

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void fill(unsigned seed)
{
    for (int b = 0; b < BLOCKS; b++) {
        blocks[b] = allocate((size_t)cells * 4);
        expected[b] = malloc((size_t)cells * 4);
        for (int i = 0; i < cells; i++)
            expected[b][i] = (int)(seed = seed * 1664525u + 1013904223u);
        CHECK(cuMemcpyHtoD(blocks[b], expected[b], (size_t)cells * 4));
    }
    spare = allocate(4096);
    seen = malloc((size_t)cells * 4);
}

static void compute(unsigned round)
{
    static const int offsets[4] = {1, 10, 100, 1000};
    for (int b = 0; b < BLOCKS; b++) {
        CHECK(LAUNCH(scale, (unsigned)(cells + 255) / 256, 256, 0, NULL, &blocks[b], &cells));
        for (int i = 0; i < cells; i++)
            expected[b][i] = (int)((unsigned)expected[b][i] * 3u + (unsigned)offsets[i % 4]);
    }
    /* What comes behind a launch goes as commands, what follows a wait does not. */
    CHECK(cuMemsetD32Async(blocks[0], round, 1000, NULL));
    CHECK(cuMemcpyDtoDAsync(blocks[1], blocks[0], 2000, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemsetD32(blocks[2], round + 1, 100));
    CHECK(cuMemcpyDtoD(spare, blocks[2], 400));
    CHECK(cuMemcpyDtoD(blocks[3], spare, 400));
    for (int i = 0; i < 1000; i++)
        expected[0][i] = (int)round;
    memcpy(expected[1], expected[0], 2000);
    for (int i = 0; i < 100; i++)
        expected[2][i] = expected[3][i] = (int)round + 1;
}

static void check(void)
{
    for (int b = 0; b < BLOCKS; b++) {
        CHECK(cuMemcpyDtoH(seen, blocks[b], (size_t)cells * 4));
        for (int i = 0; i < cells; i++)
            REQUIRE(seen[i] == expected[b][i], "block %d cell %d: %d, not %d", b, i, seen[i], expected[b][i]);
    }
}

int main(int argc, char **argv)
{
    char line[64];
    open_device();
    scale = kernel(load_kernels(), "scale");
    cells = (int)(((size_t)atoi(argc > 1 ? argv[1] : "8") << 20) / BLOCKS / 4);
    fill((unsigned)atoi(argc > 2 ? argv[2] : "1"));
    printf("ready\n");
    fflush(stdout);
    for (unsigned round = 0; fgets(line, sizeof line, stdin) != NULL; round++) {
        double begin = microseconds();
        if (strcmp(line, "compute\n") == 0)
            compute(round);
        else if (strcmp(line, "check\n") == 0)
            check();
        printf("%.0f\n", microseconds() - begin);
        fflush(stdout);
    }
    check();
    printf("ok\n");
    return 0;
}
