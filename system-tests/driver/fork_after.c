/* A child of a process that uses the device is told that it cannot. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status = -1;
    open_device();
    CUdeviceptr memory = allocate(4096);
    CHECK(cuMemsetD8(memory, 7, 4096));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        CUdeviceptr more;
        EXPECT(cuMemAlloc(&more, 16), CUDA_ERROR_NOT_INITIALIZED);
        EXPECT(cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %x", (unsigned)status);
    unsigned char back = 0;
    CHECK(cuMemcpyDtoH(&back, memory + 4095, 1));
    REQUIRE(back == 7, "the parent's memory: %d", back);
    printf("ok the child was told\n");
    return 0;
}
