/* Pinned memory has its pages when it is given out: they are the program's, whoever writes first. */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MEBIBYTES = 32 };

static void all_there(void *memory, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = (bytes + page - 1) / page, there = 0;
    unsigned char *found = calloc(count, 1);
    if (mincore(memory, bytes, found) != 0) { /* of a device's own mapping the system may not tell */
        free(found);
        return;
    }
    for (size_t i = 0; i < count; i++)
        there += found[i] & 1;
    REQUIRE(there == count, "%zu of %zu pages", there, count);
    free(found);
}

int main(void)
{
    open_device();
    size_t sizes[] = {1, 4096, 4097, 1 << 20, (size_t)MEBIBYTES << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *first, *second;
        CHECK(cuMemAllocHost(&first, sizes[i]));
        CHECK(cuMemHostAlloc(&second, sizes[i], CU_MEMHOSTALLOC_DEVICEMAP));
        all_there(first, sizes[i]);
        all_there(second, sizes[i]);
        CHECK(cuMemFreeHost(first));
        CHECK(cuMemFreeHost(second));
    }
    printf("ok pages of pinned memory\n");
    return 0;
}
