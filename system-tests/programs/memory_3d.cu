// Boxes: cudaMalloc3D, cudaMemset3D, cudaMemcpy3D with offsets.
// forms: shared static
#include "check.h"

#include <vector>

int main()
{
    const size_t width = 40, height = 9, depth = 6; // width in bytes
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, make_cudaExtent(width, height, depth)));
    REQUIRE(box.pitch >= width && box.xsize == width && box.ysize == height, "pitch %zu", box.pitch);
    CHECK(cudaMemset3D(box, 7, make_cudaExtent(width, height, depth)));

    std::vector<unsigned char> host(width * height * depth), back(width * height * depth);
    for (size_t i = 0; i < host.size(); i++) {
        host[i] = static_cast<unsigned char>(i * 31 + 5);
    }
    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(host.data(), width, width, height);
    in.srcPos = make_cudaPos(4, 1, 2);
    in.dstPtr = box;
    in.dstPos = make_cudaPos(8, 3, 1);
    in.extent = make_cudaExtent(20, 5, 3);
    in.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&in));

    cudaPitchedPtr copy;
    CHECK(cudaMalloc3D(&copy, make_cudaExtent(width, height, depth)));
    cudaMemcpy3DParms across = {};
    across.srcPtr = box;
    across.dstPtr = copy;
    across.extent = make_cudaExtent(width, height, depth);
    across.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3DAsync(&across, 0));

    cudaMemcpy3DParms out = {};
    out.srcPtr = copy;
    out.dstPtr = make_cudaPitchedPtr(back.data(), width, width, height);
    out.extent = make_cudaExtent(width, height, depth);
    out.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&out));
    for (size_t z = 0; z < depth; z++) {
        for (size_t y = 0; y < height; y++) {
            for (size_t x = 0; x < width; x++) {
                bool inside = x >= 8 && x < 28 && y >= 3 && y < 8 && z >= 1 && z < 4;
                int expected = inside ? host[((z + 1) * height + y - 2) * width + x - 4] : 7;
                int got = back[(z * height + y) * width + x];
                REQUIRE(got == expected, "(%zu, %zu, %zu) is %d, expected %d", x, y, z, got, expected);
            }
        }
    }
    CHECK(cudaFree(box.ptr));
    CHECK(cudaFree(copy.ptr));
    printf("ok %zu x %zu x %zu\n", width, height, depth);
    return 0;
}
