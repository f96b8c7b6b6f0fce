/* role: helper */
/* Writes a pattern wherever a program can, or looks for it wherever one can: leftovers <what> <pattern>.
 *
 *   leave    writes it everywhere and ends
 *   wait     writes it everywhere, says so, and waits to be killed
 *   again    writes it over and over until its input ends
 *   look     looks everywhere; prints words that are not 0 in memory that is new, and words with the pattern
 *   reset    writes it, gives its context back, and looks in a new one
 *
 * Not a test by itself. */
#include <poll.h>
#include <unistd.h>

#include "check.h"

PTX(trouble, "trouble.ptx");

enum { MEBIBYTES = 24, SHARED = 48 << 10, ROUNDS = 20 };

struct large {
    unsigned words[1000];
};

static CUdevice device;
static CUmodule module;
static unsigned pattern;

static void enter(void)
{
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, trouble));
}

static void write_words(CUdeviceptr memory, long words)
{
    CHECK(LAUNCH(kernel(module, "write_pattern"), 64, 128, 0, NULL, &memory, &words, &pattern));
}

/* What blocks have of their own, on all workers. */
static void write_in_blocks(void)
{
    int shared = SHARED / 4, heap = 256, keep = 1, none = 0;
    struct large large;
    for (int i = 0; i < 1000; i++)
        large.words[i] = pattern;
    CUdeviceptr found = allocate(64);
    CHECK(LAUNCH(kernel(module, "write_shared"), 64, 128, SHARED, NULL, &shared, &pattern));
    CHECK(LAUNCH(kernel(module, "write_local"), 64, 64, 0, NULL, &pattern));
    CHECK(LAUNCH(kernel(module, "write_heap"), 16, 32, 0, NULL, &heap, &pattern, &keep));
    CHECK(LAUNCH(kernel(module, "write_heap"), 16, 32, 0, NULL, &heap, &pattern, &none));
    CHECK(LAUNCH(kernel(module, "write_marks"), 1, 1024, 0, NULL, &pattern));
    CHECK(LAUNCH(kernel(module, "take_large"), 8, 32, 0, NULL, &large, &found));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemFree(found));
}

static void write_everywhere(void)
{
    size_t bytes = (size_t)MEBIBYTES << 20;
    long words = (long)(bytes / 4);
    CUdeviceptr managed, pooled, memory = allocate(bytes);
    void *pinned;
    write_words(memory, words);
    CHECK(cuMemAllocManaged(&managed, bytes / 4, CU_MEM_ATTACH_GLOBAL));
    write_words(managed, words / 4);
    CHECK(cuMemAllocAsync(&pooled, bytes / 4, NULL));
    write_words(pooled, words / 4);
    CHECK(cuMemFreeAsync(pooled, NULL));
    CHECK(cuMemHostAlloc(&pinned, bytes / 4, CU_MEMHOSTALLOC_DEVICEMAP));
    for (size_t i = 0; i < bytes / 16; i++)
        ((unsigned *)pinned)[i] = pattern;
    /* On its way through staging memory, behind work. */
    for (int i = 0; i < 32; i++)
        CHECK(cuMemcpyHtoDAsync(memory, pinned, 1 << 18, NULL));
    write_in_blocks();
    CHECK(cuCtxSynchronize());
}

static unsigned counts[2];

/* What is new is empty; what blocks have may be this context's own, of an earlier block. */
static void note(CUdeviceptr found, bool is_new)
{
    unsigned now[2];
    CHECK(cuMemcpyDtoH(now, found, sizeof now));
    CHECK(cuMemsetD32(found, 0, 2));
    counts[0] += is_new ? now[0] : 0;
    counts[1] += now[1];
}

static void look_in_blocks(CUdeviceptr found)
{
    int shared = SHARED / 4, heap = 256;
    CHECK(LAUNCH(kernel(module, "find_shared"), 64, 128, SHARED, NULL, &shared, &pattern, &found));
    CHECK(LAUNCH(kernel(module, "find_local"), 64, 64, 0, NULL, &pattern, &found));
    CHECK(LAUNCH(kernel(module, "find_heap"), 16, 32, 0, NULL, &heap, &pattern, &found));
    CHECK(LAUNCH(kernel(module, "find_marks"), 1, 1024, 0, NULL, &pattern, &found));
    note(found, false);
}

static void look_at(CUdeviceptr memory, size_t bytes, CUdeviceptr found)
{
    long words = (long)(bytes / 4);
    CHECK(LAUNCH(kernel(module, "find_pattern"), 64, 128, 0, NULL, &memory, &words, &pattern, &found));
    note(found, true);
}

/* The memory that the library shares with the daemon: rings, reply slots, ledger. */
static void look_in_own_mappings(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL, "no /proc/self/maps");
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long start, end;
        if (strstr(line, "memfd:facet") == NULL || sscanf(line, "%lx-%lx r", &start, &end) != 2)
            continue;
        if (end - start > (size_t)16 << 20)
            continue; /* a context: looked at by its allocations */
        for (unsigned *word = (unsigned *)start; word < (unsigned *)end; word++)
            counts[1] += *word == pattern;
    }
    fclose(maps);
}

static void look_everywhere(void)
{
    size_t bytes = (size_t)MEBIBYTES << 20;
    CUdeviceptr found = allocate(64), managed, pooled, memory;
    void *pinned;
    CHECK(cuMemsetD32(found, 0, 16));
    for (int round = 0; round < ROUNDS; round++)
        look_in_blocks(found);
    memory = allocate(bytes);
    look_at(memory, bytes, found);
    CHECK(cuMemAllocManaged(&managed, bytes / 4, CU_MEM_ATTACH_GLOBAL));
    look_at(managed, bytes / 4, found);
    CHECK(cuMemAllocAsync(&pooled, bytes / 4, NULL));
    look_at(pooled, bytes / 4, found);
    CHECK(cuMemHostAlloc(&pinned, bytes / 4, CU_MEMHOSTALLOC_DEVICEMAP));
    for (size_t i = 0; i < bytes / 16; i++) {
        counts[0] += ((unsigned *)pinned)[i] != 0;
        counts[1] += ((unsigned *)pinned)[i] == pattern;
    }
    printf("%u %u\n", counts[0], counts[1]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pattern = (unsigned)strtoul(argc > 2 ? argv[2] : "1", NULL, 10);
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    enter();
    if (strcmp(what, "look") == 0) {
        look_in_own_mappings();
        look_everywhere();
        return 0;
    }
    write_everywhere();
    if (strcmp(what, "reset") == 0) {
        CHECK(cuDevicePrimaryCtxReset(device));
        enter();
        look_everywhere();
        return 0;
    }
    printf("written\n");
    fflush(stdout);
    struct pollfd input = {.fd = 0, .events = POLLIN};
    if (strcmp(what, "wait") == 0)
        pause();
    while (strcmp(what, "again") == 0 && poll(&input, 1, 0) == 0)
        write_in_blocks();
    return 0;
}
