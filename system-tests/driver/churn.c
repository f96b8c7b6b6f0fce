/* Allocates and frees without end, of all kinds, until it is killed. Not a test by itself.
 * Prints a line when it has begun. Argument: a seed. */
/* role: helper */
#include "check.h"

enum { LIVE = 24 };

static uint64_t state;

static uint64_t random_below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static struct {
    int kind;
    CUdeviceptr pointer;
    CUarray array;
} live[LIVE];

static void drop(int i)
{
    switch (live[i].kind) {
    case 1:
    case 2:
        CHECK(cuMemFree(live[i].pointer));
        break;
    case 3:
        CHECK(cuMemFreeAsync(live[i].pointer, NULL));
        break;
    case 4:
        CHECK(cuArrayDestroy(live[i].array));
        break;
    }
    live[i].kind = 0;
}

int main(int argc, char **argv)
{
    state = (uint64_t)atoi(argc > 1 ? argv[1] : "1") * UINT64_C(0x9e3779b97f4a7c15) | 1;
    open_device();
    CUmodule module = load_kernels();
    printf("begins\n");
    fflush(stdout);
    for (unsigned long long i = 0;; i++) {
        int at = (int)random_below(LIVE);
        drop(at);
        size_t bytes = 1 + random_below(random_below(8) == 0 ? 12 << 20 : 300000);
        CUDA_ARRAY_DESCRIPTOR shape = {
            .Width = bytes / 64 + 1, .Height = 1 + random_below(60), .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
        int kind = 1 + (int)random_below(4);
        CUresult result = kind == 1   ? cuMemAlloc(&live[at].pointer, bytes)
                          : kind == 2 ? cuMemAllocManaged(&live[at].pointer, bytes, CU_MEM_ATTACH_GLOBAL)
                          : kind == 3 ? cuMemAllocAsync(&live[at].pointer, bytes, NULL)
                                      : cuArrayCreate(&live[at].array, &shape);
        REQUIRE(result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY, "%s", name_of(result));
        live[at].kind = result == CUDA_SUCCESS ? kind : 0;
        if (result == CUDA_SUCCESS && kind != 4)
            CHECK(cuMemsetD8Async(live[at].pointer, (unsigned char)i, bytes, NULL));
        if (random_below(500) == 0) {
            CHECK(cuModuleUnload(module));
            if (cuModuleLoadData(&module, kernels) != CUDA_SUCCESS)
                break; /* no room for its variables */
        }
    }
    return 0;
}
