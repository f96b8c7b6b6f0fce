// Memory and an event of another process, by the runtime's calls.
// forms: shared static
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 50000 };

struct told {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

__global__ void fill(int *cells, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        cells[i] = value + i;
}

__global__ void twice(int *cells)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        cells[i] *= 2;
}

// The other process: doubles what is there once the event has come.
static int other(int from, int to)
{
    told all;
    void *cells;
    cudaEvent_t event;
    char byte = 0;
    if (read(from, &all, sizeof all) != sizeof all)
        return 0; // there is no such memory on this device
    CHECK(cudaIpcOpenMemHandle(&cells, all.memory, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&event, all.event));
    CHECK(cudaStreamWaitEvent(0, event, 0));
    twice<<<(COUNT + 127) / 128, 128>>>((int *)cells);
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(cells));
    EXPECT(cudaIpcCloseMemHandle(cells), cudaErrorInvalidValue);
    cudaGetLastError();
    return write(to, &byte, 1) == 1 ? 0 : 1;
}

int main()
{
    int there[2], back[2], status = -1, virtual_memory = 0;
    REQUIRE(pipe(there) == 0 && pipe(back) == 0, "no pipes");
    fflush(stdout);
    pid_t child = fork(); // before anybody knows of a device
    if (child == 0) {
        close(there[1]);
        int result = other(there[0], back[1]);
        fflush(stdout);
        _exit(result);
    }
    close(there[0]);
    CHECK(cudaDeviceGetAttribute(&virtual_memory, (cudaDeviceAttr)102, 0)); // where memory can be mapped
    if (virtual_memory) {
        told all;
        char byte;
        cudaEvent_t event;
        int *cells = device_array<int>(COUNT), host[COUNT];
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
        CHECK(cudaIpcGetMemHandle(&all.memory, cells));
        CHECK(cudaIpcGetEventHandle(&all.event, event));
        fill<<<(COUNT + 127) / 128, 128>>>(cells, 7);
        LAUNCHED();
        CHECK(cudaEventRecord(event, 0));
        REQUIRE(write(there[1], &all, sizeof all) == sizeof all && read(back[0], &byte, 1) == 1, "the other one is gone");
        host_copy(host, cells, COUNT);
        for (int i = 0; i < COUNT; i++)
            REQUIRE(host[i] == 2 * (7 + i), "element %d is %d", i, host[i]);
        CHECK(cudaFree(cells));
    }
    close(there[1]);
    REQUIRE(waitpid(child, &status, 0) == child && status == 0, "the other one ended with %x", (unsigned)status);
    printf("ok %s\n", virtual_memory ? "shared" : "not on this device");
    return 0;
}
