// Host memory that the device sees: allocated, mapped, registered.
#include "check.h"

#include <cstdlib>

__global__ void twice(int *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] *= 2;
    }
}

void run(int *host, int *device, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        host[i] = i - 500;
    }
    twice<<<(count + 127) / 128, 128>>>(device, count);
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++) {
        REQUIRE(host[i] == 2 * (i - 500), "%s: element %d is %d", what, i, host[i]);
    }
}

int main()
{
    const int count = 5000;
    const size_t bytes = count * sizeof(int);
    int *pinned, *mapped, *device;
    CHECK(cudaMallocHost(reinterpret_cast<void **>(&pinned), bytes));
    run(pinned, pinned, count, "pinned"); // unified addresses: the pointer itself serves
    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&mapped), bytes, cudaHostAllocMapped | cudaHostAllocPortable));
    CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device), mapped, 0));
    run(mapped, device, count, "mapped");
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, mapped));
    REQUIRE((flags & cudaHostAllocMapped) && (flags & cudaHostAllocPortable), "flags %u", flags);
    int *inside;
    CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&inside), mapped + 10, 0));
    REQUIRE(inside == device + 10, "address of the eleventh element");

    int *registered = static_cast<int *>(aligned_alloc(4096, 1 << 20));
    registered[0] = 4711;
    registered[200000] = 815;
    CHECK(cudaHostRegister(registered, 1 << 20, cudaHostRegisterMapped));
    REQUIRE(registered[0] == 4711 && registered[200000] == 815, "registering changed the contents");
    EXPECT(cudaHostRegister(registered, 1 << 20, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT(cudaGetLastError(), cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device), registered, 0));
    run(registered, device, count, "registered");
    CHECK(cudaHostUnregister(registered));
    REQUIRE(registered[1] == 2 * -499 && registered[200000] == 815, "unregistering lost the contents");
    EXPECT(cudaHostUnregister(registered), cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
    free(registered);

    // Memory of malloc: neither start nor end on a page.
    int *heap = static_cast<int *>(malloc(bytes + 100));
    heap[0] = 1;
    heap[count + 20] = 77;
    CHECK(cudaHostRegister(heap + 1, bytes, cudaHostRegisterDefault));
    CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device), heap + 1, 0));
    run(heap + 1, device, count, "heap");
    CHECK(cudaHostUnregister(heap + 1));
    REQUIRE(heap[0] == 1 && heap[count + 20] == 77 && heap[2] == 2 * -499, "neighbours changed");
    free(heap);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(mapped));
    printf("ok pinned, mapped, registered\n");
    return 0;
}
