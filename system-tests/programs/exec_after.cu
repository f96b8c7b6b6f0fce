// A program that used the device becomes another one (itself), which uses it anew; children too.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int *to, int value)
{
    *to = value;
}

void use(int value)
{
    int *device = device_array<int>(1), host = 0;
    store<<<1, 1>>>(device, value);
    LAUNCHED();
    host_copy(&host, device, 1);
    REQUIRE(host == value, "value %d", host);
}

int main(int argc, char **argv)
{
    int step = argc > 1 ? atoi(argv[1]) : 0;
    use(step + 10);
    if (step == 2) {
        printf("ok three programs in one process\n");
        return 0;
    }
    char next[8];
    snprintf(next, sizeof next, "%d", step + 1);
    pid_t child = fork();
    if (child == 0) {
        char two[] = "2";
        char *arguments[] = {argv[0], two, nullptr};
        execv("/proc/self/exe", arguments);
        _exit(9);
    }
    int status = -1;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %x", status);
    char *arguments[] = {argv[0], next, nullptr};
    execv("/proc/self/exe", arguments);
    return 1;
}
