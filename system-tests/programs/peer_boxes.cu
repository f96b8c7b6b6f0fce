// Rows and slices from one device to another, with the runtime's calls.
// forms: shared static
#include <cstring>
#include <vector>

#include "check.h"

constexpr size_t width = 60, rows = 5, slices = 3, pitch = 96, height = 6, bytes = pitch * height * slices;

static unsigned char *on(int device, const std::vector<unsigned char> &data)
{
    unsigned char *memory;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemcpy(memory, data.data(), bytes, cudaMemcpyHostToDevice));
    return memory;
}

static void is_copied(const unsigned char *memory, const std::vector<unsigned char> &sent, size_t depth)
{
    std::vector<unsigned char> received(bytes);
    CHECK(cudaMemcpy(received.data(), memory, bytes, cudaMemcpyDefault));
    for (size_t i = 0; i < bytes; i++) {
        size_t x = i % pitch, y = i / pitch % height, z = i / pitch / height;
        int expected = x < width && y < rows && z < depth ? sent[i] : 0;
        REQUIRE(received[i] == expected, "byte %zu is %d, not %d", i, received[i], expected);
    }
}

int main()
{
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("ok one device\n");
        return 0;
    }
    std::vector<unsigned char> sent(bytes), none(bytes);
    for (size_t i = 0; i < bytes; i++)
        sent[i] = static_cast<unsigned char>(1 + i % 250);
    unsigned char *first = on(0, sent), *second = on(1, none), *third = on(1, none);

    cudaMemcpy3DPeerParms copy = {};
    copy.srcDevice = 0;
    copy.srcPtr = make_cudaPitchedPtr(first, pitch, width, height);
    copy.dstDevice = 1;
    copy.dstPtr = make_cudaPitchedPtr(second, pitch, width, height);
    copy.extent = make_cudaExtent(width, rows, slices);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpy3DPeer(&copy));
    is_copied(second, sent, slices);

    CHECK(cudaMemcpy2D(third, pitch, first, pitch, width, rows, cudaMemcpyDefault));
    is_copied(third, sent, 1);

    CHECK(cudaSetDevice(1));
    CHECK(cudaMemset(second, 0, bytes));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy3DPeerAsync(&copy, stream));
    CHECK(cudaStreamSynchronize(stream));
    is_copied(second, sent, slices);

    copy.srcDevice = devices;
    EXPECT(cudaMemcpy3DPeer(&copy), cudaErrorInvalidDevice);
    printf("ok peer boxes\n");
    return 0;
}
