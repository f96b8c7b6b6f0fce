// Arrays of the runtime: made, described, filled and read by row, by byte and as boxes.
// forms: shared static
#include "check.h"

#include <cstring>
#include <vector>

void rows()
{
    const size_t width = 48, height = 10, pitch = width * sizeof(float2);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>(), seen;
    cudaArray_t array, other;
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMallocArray(&other, &format, width, height));
    cudaExtent extent;
    unsigned flags = 9;
    CHECK(cudaArrayGetInfo(&seen, &extent, &flags, array));
    REQUIRE(seen.x == 32 && seen.y == 32 && seen.z == 0 && seen.f == cudaChannelFormatKindFloat, "format %d %d %d", seen.x, seen.y, seen.z);
    REQUIRE(extent.width == width && extent.height == height && extent.depth == 0 && flags == 0, "extent");
    CHECK(cudaGetChannelDesc(&seen, array));
    REQUIRE(seen.y == 32, "channels");
    std::vector<float2> in(width * height), out(width * height);
    for (size_t i = 0; i < in.size(); i++) {
        in[i] = make_float2(i, -1.0f * i);
    }
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), pitch, pitch, height, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DFromArray(out.data(), pitch, array, 0, 0, pitch, height, cudaMemcpyDeviceToHost));
    REQUIRE(memcmp(in.data(), out.data(), pitch * height) == 0, "there and back");
    CHECK(cudaMemcpy2DArrayToArray(other, 8, 1, array, 16, 2, 80, 5));
    float2 part[5][10];
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpy2DFromArrayAsync(part, sizeof part[0], other, 8, 1, 80, 5, cudaMemcpyDefault, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 10; x++) {
            REQUIRE(part[y][x].x == (y + 2) * width + x + 2, "%g at %d %d", part[y][x].x, x, y);
        }
    }
    // From memory of the device, over the ends of rows.
    float2 *device = device_copy(in.data(), in.size());
    CHECK(cudaMemcpyToArray(other, 0, 0, device, 3 * pitch + 8, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpyFromArray(out.data(), other, 8, 1, 2 * pitch, cudaMemcpyDeviceToHost));
    REQUIRE(memcmp(in.data() + width + 1, out.data(), 2 * pitch) == 0, "bytes over the ends of rows");
    EXPECT(cudaMemcpy2DToArray(array, 8, 0, in.data(), pitch, pitch, height, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy2DToArray(array, 0, 0, in.data(), pitch, pitch, height, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    CHECK(cudaFreeArray(other));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(nullptr));
    CHECK(cudaFree(device));
}

// In boxes an array counts elements, a pointer bytes.
void boxes()
{
    const cudaExtent extent = make_cudaExtent(20, 6, 4);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent));
    std::vector<int> in(20 * 6 * 4), out(5 * 3 * 2, -1);
    for (size_t i = 0; i < in.size(); i++) {
        in[i] = i;
    }
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in.data(), 20 * sizeof(int), 20, 6);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaMemcpy3DParms back = {};
    back.srcArray = array;
    back.srcPos = make_cudaPos(3, 2, 1);
    back.dstPtr = make_cudaPitchedPtr(out.data(), 5 * sizeof(int), 5, 3);
    back.extent = make_cudaExtent(5, 3, 2);
    back.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&back));
    for (int z = 0; z < 2; z++) {
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 5; x++) {
                int value = out[(z * 3 + y) * 5 + x];
                REQUIRE(value == ((z + 1) * 6 + y + 2) * 20 + x + 3, "%d at %d %d %d", value, x, y, z);
            }
        }
    }
    CHECK(cudaFreeArray(array));
}

int main()
{
    rows();
    boxes();
    cudaArray_t array;
    cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    EXPECT(cudaMallocArray(&array, &odd, 4, 4), cudaErrorInvalidChannelDescriptor);
    cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
    EXPECT(cudaMallocArray(&array, &byte, size_t(1) << 40, 4), cudaErrorInvalidValue);
    EXPECT(cudaMallocArray(&array, &byte, size_t(1) << 17, size_t(1) << 16), cudaErrorMemoryAllocation);
    printf("ok arrays\n");
    return 0;
}
