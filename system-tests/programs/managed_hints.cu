// Advice and prefetching of managed memory, and what is said about pointers.
// forms: shared static
#include "check.h"

__global__ void fill(int *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = i;
    }
}

int main()
{
    const int count = 100000;
    int *data;
    CHECK(cudaMallocManaged(&data, count * sizeof(int)));
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    CHECK(cudaMemAdvise(data, count * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
    CHECK(cudaMemAdvise(data, count * sizeof(int), cudaMemAdviseSetReadMostly, device));
    CHECK(cudaMemPrefetchAsync(data, count * sizeof(int), device, 0, 0));
    fill<<<(count + 255) / 256, 256>>>(data, count);
    LAUNCHED();
    CHECK(cudaMemPrefetchAsync(data, count * sizeof(int), host, 0, 0));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++) {
        REQUIRE(data[i] == i, "element %d is %d", i, data[i]);
    }

    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, data + 5));
    REQUIRE(a.type == cudaMemoryTypeManaged && a.device == 0, "managed: type %d", a.type);
    REQUIRE(a.devicePointer == data + 5 && a.hostPointer == data + 5, "managed: pointers");
    int *plain = device_array<int>(10), *pinned, local;
    CHECK(cudaPointerGetAttributes(&a, plain));
    REQUIRE(a.type == cudaMemoryTypeDevice && a.devicePointer == plain && a.hostPointer == nullptr, "device: type %d", a.type);
    CHECK(cudaMallocHost(&pinned, 100));
    CHECK(cudaPointerGetAttributes(&a, pinned));
    REQUIRE(a.type == cudaMemoryTypeHost && a.hostPointer == pinned, "host: type %d", a.type);
    CHECK(cudaPointerGetAttributes(&a, &local));
    REQUIRE(a.type == cudaMemoryTypeUnregistered, "stack: type %d", a.type);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(plain));
    CHECK(cudaFree(data));
    printf("ok hints and pointers\n");
    return 0;
}
