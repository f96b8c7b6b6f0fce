// A misaligned access: error 716; out of an array's block of memory altogether: 700.
// forms: shared static
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void load(const char *from, double *to)
{
    *to = *reinterpret_cast<const double *>(from);
}

// A context does not come back from a fault, so each case has its process.
int in_child(long offset, cudaError_t expected)
{
    pid_t child = fork();
    if (child == 0) {
        char *from = device_array<char>(64);
        double *to = device_array<double>(1);
        load<<<1, 1>>>(from + offset, to);
        cudaError_t error = cudaDeviceSynchronize();
        if (error != expected) {
            printf("offset %ld: %s, expected %s\n", offset, cudaGetErrorName(error), cudaGetErrorName(expected));
            fflush(stdout);
        }
        _exit(error == expected ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

int main()
{
    int failures = in_child(8, cudaSuccess);
    failures += in_child(3, cudaErrorMisalignedAddress);
    failures += in_child(1l << 45, cudaErrorIllegalAddress);
    failures += in_child(-(1l << 46), cudaErrorIllegalAddress);
    REQUIRE(failures == 0, "%d processes", failures);
    printf("ok 4 processes\n");
    return 0;
}
