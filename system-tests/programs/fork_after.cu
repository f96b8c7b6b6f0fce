// A child forked after its parent used the device cannot use it; the parent goes on.
// forms: shared static
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int *to, int value)
{
    *to = value;
}

int main()
{
    int *device = device_array<int>(1), host = 0;
    store<<<1, 1>>>(device, 1);
    CHECK(cudaDeviceSynchronize());
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        void *pointer;
        cudaError_t error = cudaMalloc(&pointer, 4);
        if (error != cudaErrorInitializationError) {
            printf("the child's cudaMalloc: %s\n", cudaGetErrorName(error));
            fflush(stdout);
            _exit(1);
        }
        store<<<1, 1>>>(device, 666);
        _exit(cudaDeviceSynchronize() == cudaSuccess ? 2 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %x", status);
    store<<<1, 1>>>(device, 2);
    LAUNCHED();
    host_copy(&host, device, 1);
    REQUIRE(host == 2, "value %d", host);
    printf("ok the child was told\n");
    return 0;
}
