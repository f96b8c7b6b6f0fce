/* Does what its input says, a line each: "take MEBIBYTES", "give", "info"; prints the result. Not a test by itself. */
/* role: helper */
#include "check.h"

int main(void)
{
    CUdeviceptr taken[64];
    int count = 0;
    char line[64];
    open_device();
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t available, total;
        int mebibytes;
        CUresult code = CUDA_SUCCESS;
        if (sscanf(line, "take %d", &mebibytes) == 1 && count < 64) {
            code = cuMemAlloc(&taken[count], (size_t)mebibytes << 20);
            if (code == CUDA_SUCCESS)
                code = cuMemsetD8(taken[count++], 7, (size_t)mebibytes << 20);
        } else if (strcmp(line, "give\n") == 0 && count > 0) {
            code = cuMemFree(taken[--count]);
        }
        CHECK(cuMemGetInfo(&available, &total));
        printf("%d %zu %zu\n", (int)code, available, total);
        fflush(stdout);
    }
    return 0;
}
