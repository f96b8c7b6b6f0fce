/* What a program has not allocated its kernels do not reach: error 700 right behind the last allocation. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

/* Stores a word there, in a process of its own: the error is for good. */
static CUresult store_at(size_t allocated, size_t offset)
{
    pid_t child = fork();
    if (child == 0) {
        int value = 7;
        open_device();
        CUfunction store = kernel(load_kernels(), "store");
        CUdeviceptr memory = allocate(allocated), target = memory + offset;
        CHECK(LAUNCH(store, 1, 1, 0, NULL, &target, &value));
        _exit((int)(cuCtxSynchronize() == CUDA_SUCCESS ? 0 : cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS ? 100 : 99));
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status), "the child ended with %x", status);
    return WEXITSTATUS(status) == 0 ? CUDA_SUCCESS : WEXITSTATUS(status) == 100 ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_UNKNOWN;
}

/* Memory that was freed is gone, also when it lies between others that are gone. */
static void shrinks(void)
{
    pid_t child = fork();
    if (child == 0) {
        int value = 7;
        open_device();
        CUfunction store = kernel(load_kernels(), "store");
        CUdeviceptr low = allocate(4096), high = allocate(64 << 20), last = high + (64 << 20) - 4;
        CHECK(LAUNCH(store, 1, 1, 0, NULL, &last, &value));
        CHECK(cuCtxSynchronize());
        CHECK(cuMemFree(high));
        CHECK(LAUNCH(store, 1, 1, 0, NULL, &low, &value));
        CHECK(cuCtxSynchronize());
        CHECK(LAUNCH(store, 1, 1, 0, NULL, &last, &value));
        EXPECT(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %x", status);
}

int main(void)
{
    const size_t bytes = 1 << 20;
    EXPECT(store_at(bytes, 0), CUDA_SUCCESS);
    EXPECT(store_at(bytes, bytes - 4), CUDA_SUCCESS);
    EXPECT(store_at(bytes, bytes), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(store_at(bytes, bytes + (256 << 20)), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(store_at(bytes, (size_t)-(1 << 30)), CUDA_ERROR_ILLEGAL_ADDRESS); /* the host's own part */
    EXPECT(store_at(bytes, (size_t)1 << 45), CUDA_ERROR_ILLEGAL_ADDRESS);
    shrinks();
    printf("ok out of bounds\n");
    return 0;
}
