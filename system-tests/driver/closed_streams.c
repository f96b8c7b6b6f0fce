/* A program that has closed its standard streams, as services do: what it writes there must not reach the daemon. */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

static int is_socket(int descriptor)
{
    struct stat about;
    return fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode);
}

int main(void)
{
    close(STDIN_FILENO);
    close(STDERR_FILENO);
    CHECK(cuInit(0));
    if (is_socket(STDIN_FILENO) || is_socket(STDERR_FILENO))
        return printf("a stream is the connection to the daemon\n"), 1;
    fprintf(stderr, "nobody hears this\n");
    int count;
    CHECK(cuDeviceGetCount(&count));
    CUdevice device;
    CUcontext context;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    printf("ok\n");
    return 0;
}
