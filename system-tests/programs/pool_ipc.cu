// Memory of another process's pool, by the runtime's calls.
// forms: shared static
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 50000 };

struct told {
    int file;
    cudaMemPoolPtrExportData memory;
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

// The other process: doubles what is there.
static int other(int from, int to)
{
    told all;
    void *cells;
    cudaMemPool_t pool;
    char byte = 0, path[64];
    if (read(from, &all, sizeof all) != sizeof all)
        return 0; // there is no such memory on this device
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), all.file);
    int file = open(path, O_RDONLY);
    REQUIRE(file >= 0, "no %s", path);
    CHECK(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor, 0));
    CHECK(cudaMemPoolImportPointer(&cells, pool, &all.memory));
    twice<<<(COUNT + 127) / 128, 128>>>((int *)cells);
    LAUNCHED();
    CHECK(cudaFreeAsync(cells, 0));
    EXPECT(cudaFreeAsync(cells, 0), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaMemPoolDestroy(pool));
    return write(to, &byte, 1) == 1 ? 0 : 1;
}

int main()
{
    int there[2], back[2], status = -1, types = 0;
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
    CHECK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    if (types != 0) {
        told all;
        char byte;
        int *cells, host[COUNT];
        cudaMemPool_t pool;
        cudaMemPoolProps properties = {};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
        properties.location.type = cudaMemLocationTypeDevice;
        CHECK(cudaMemPoolCreate(&pool, &properties));
        CHECK(cudaMallocFromPoolAsync(&cells, COUNT * sizeof(int), pool, 0));
        fill<<<(COUNT + 127) / 128, 128>>>(cells, 7);
        LAUNCHED();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemPoolExportToShareableHandle(&all.file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
        CHECK(cudaMemPoolExportPointer(&all.memory, cells));
        REQUIRE(write(there[1], &all, sizeof all) == sizeof all && read(back[0], &byte, 1) == 1, "the other one is gone");
        host_copy(host, cells, COUNT);
        for (int i = 0; i < COUNT; i++)
            REQUIRE(host[i] == 2 * (7 + i), "element %d is %d", i, host[i]);
        CHECK(cudaFreeAsync(cells, 0));
        CHECK(cudaMemPoolDestroy(pool));
    }
    close(there[1]);
    REQUIRE(waitpid(child, &status, 0) == child && status == 0, "the other one ended with %x", (unsigned)status);
    printf("ok %s\n", types != 0 ? "shared" : "not on this device");
    return 0;
}
