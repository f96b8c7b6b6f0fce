/* Takes the mebibytes of its argument and keeps them until its input ends. Not a test by itself. */
/* role: helper */
#include "check.h"

int main(int argc, char **argv)
{
    size_t available, total;
    open_device();
    CUdeviceptr memory;
    CUresult code = cuMemAlloc(&memory, (size_t)atoi(argc > 1 ? argv[1] : "1") << 20);
    CHECK(cuMemGetInfo(&available, &total));
    printf("%d %zu %zu\n", (int)code, available, total);
    fflush(stdout);
    while (getchar() != EOF) {
    }
    return 0;
}
