// Processes that fork before they use the device: each has its own, and its own memory.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void mix(unsigned *data, int count, unsigned key)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = data[i] * 1664525u + key;
    }
}

int work(unsigned key)
{
    const int count = 20000, rounds = 30;
    unsigned *host = new unsigned[count], *device;
    for (int i = 0; i < count; i++) {
        host[i] = i;
    }
    device = device_copy(host, count);
    for (int r = 0; r < rounds; r++) {
        mix<<<(count + 127) / 128, 128>>>(device, count, key);
    }
    LAUNCHED();
    host_copy(host, device, count);
    for (int i = 0; i < count; i++) {
        unsigned expected = i;
        for (int r = 0; r < rounds; r++) {
            expected = expected * 1664525u + key;
        }
        REQUIRE(host[i] == expected, "process %u: element %d is %u, expected %u", key, i, host[i], expected);
    }
    return 0;
}

int main()
{
    pid_t children[3];
    for (unsigned i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            _exit(work(i + 1));
        }
    }
    work(99);
    for (pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child ended with %x", status);
    }
    printf("ok 4 processes\n");
    return 0;
}
