/* Has managed memory of some mebibytes, and says where it should be each time it is told to. Not a test by itself. Lines of
 * its input: host, device (prefetch), prefer-host, prefer-device, accessed-by (advice), compute, half-host, half-device. Each is answered by 'done'.
 */
/* role: helper */
#include "check.h"

static const CUmemLocation device = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
static const CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST};
static unsigned rounds;

/* Each round is value * 3 + offset, of which the offset follows from the place. */
static void check(const int *cells, int count)
{
    static const unsigned offsets[4] = {1, 10, 100, 1000};
    for (int i = 0; i < count; i++) {
        unsigned expected = (unsigned)i * 7u;
        for (unsigned r = 0; r < rounds; r++)
            expected = expected * 3u + offsets[i % 4];
        REQUIRE(cells[i] == (int)expected, "cell %d is %d, not %d", i, cells[i], (int)expected);
    }
}

int main(int argc, char **argv)
{
    char line[64];
    CUdeviceptr memory;
    size_t bytes = (size_t)atoi(argc > 1 ? argv[1] : "8") << 20;
    int count = (int)(bytes / 4);
    open_device();
    CUfunction scale = kernel(load_kernels(), "scale");
    CHECK(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL));
    int *cells = (int *)(uintptr_t)memory;
    for (int i = 0; i < count; i++)
        cells[i] = i * 7;
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "host") == 0)
            CHECK(cuMemPrefetchAsync_v2(memory, bytes, host, 0, NULL));
        else if (strcmp(line, "device") == 0)
            CHECK(cuMemPrefetchAsync_v2(memory, bytes, device, 0, NULL));
        else if (strcmp(line, "half-host") == 0)
            CHECK(cuMemPrefetchAsync_v2(memory, bytes / 2, host, 0, NULL));
        else if (strcmp(line, "half-device") == 0)
            CHECK(cuMemPrefetchAsync_v2(memory, bytes / 2, device, 0, NULL));
        else if (strcmp(line, "prefer-host") == 0)
            CHECK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
        else if (strcmp(line, "prefer-device") == 0)
            CHECK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
        else if (strcmp(line, "accessed-by") == 0)
            CHECK(cuMemAdvise_v2(memory, bytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
        else if (strcmp(line, "compute") == 0) {
            CHECK(LAUNCH(scale, (unsigned)(count + 255) / 256, 256, 0, NULL, &memory, &count));
            rounds++;
        } else
            REQUIRE(false, "what is '%s'?", line);
        CHECK(cuCtxSynchronize());
        printf("done\n");
        fflush(stdout);
    }
    check(cells, count);
    printf("ok\n");
    return 0;
}
