// Surfaces: bytes as coordinates, edges that clamp, read zero and trap, layers and faces; textures see what was written.
// forms: shared static
#include "check.h"

#include <vector>

enum { WIDTH = 32, HEIGHT = 8, LAYERS = 6 };

__global__ void fill(cudaSurfaceObject_t surface, unsigned layer)
{
    unsigned x = threadIdx.x, y = threadIdx.y;
    surf2DLayeredwrite(make_ushort2(x + 100 * y, layer), surface, x * sizeof(ushort2), y, layer);
}

__global__ void copy(cudaSurfaceObject_t from, cudaTextureObject_t texture, unsigned layer, unsigned *sum)
{
    unsigned x = threadIdx.x, y = threadIdx.y;
    ushort2 seen = surf2DLayeredread<ushort2>(from, x * sizeof(ushort2), y, layer);
    ushort2 fetched = tex2DLayered<ushort2>(texture, x + 0.5f, y + 0.5f, layer);
    ushort2 face = surfCubemapread<ushort2>(from, x * sizeof(ushort2), y, layer);
    if (seen.x == fetched.x && seen.y == fetched.y && face.x == seen.x)
        atomicAdd(sum, seen.x + 1000 * seen.y);
}

__global__ void edges(cudaSurfaceObject_t surface, unsigned *out)
{
    out[0] = surf2Dread<unsigned>(surface, -4, 100, cudaBoundaryModeClamp);
    out[1] = surf2Dread<unsigned>(surface, 4 * WIDTH, 0, cudaBoundaryModeZero);
    out[2] = surf2Dread<unsigned>(surface, 4, 0);
    surf2Dwrite(5u, surface, -4, 0, cudaBoundaryModeZero);
    surf2Dwrite(6u, surface, 4 * WIDTH + 400, HEIGHT, cudaBoundaryModeClamp);
    uchar4 bytes = surf2Dread<uchar4>(surface, 8, 0);
    out[3] = bytes.x + bytes.y + bytes.z + bytes.w;
    out[4] = surf2Dread<unsigned short>(surface, 10, 0);
}

__global__ void outside(cudaSurfaceObject_t surface)
{
    surf2Dwrite(5u, surface, 0, HEIGHT);
}

static cudaSurfaceObject_t surface_of(cudaArray_t array, cudaTextureObject_t *texture)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaResourceDesc again;
    CHECK(cudaGetSurfaceObjectResourceDesc(&again, surface));
    REQUIRE(again.res.array.array == array, "another array");
    cudaTextureDesc reading = {};
    CHECK(cudaCreateTextureObject(texture, &resource, &reading, nullptr));
    return surface;
}

int main()
{
    cudaTextureObject_t texture;
    cudaArray_t layers;
    cudaChannelFormatDesc pairs = cudaCreateChannelDesc<ushort2>();
    CHECK(cudaMalloc3DArray(&layers, &pairs, make_cudaExtent(WIDTH, HEIGHT, LAYERS), cudaArrayLayered | cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t surface = surface_of(layers, &texture);
    unsigned *out = device_array<unsigned>(8), seen[8] = {}, wanted = 0;
    CHECK(cudaMemset(out, 0, sizeof seen));
    for (unsigned layer = 0; layer < LAYERS; layer++) {
        fill<<<1, dim3(WIDTH, HEIGHT)>>>(surface, layer);
        copy<<<1, dim3(WIDTH, HEIGHT)>>>(surface, texture, layer, out);
        LAUNCHED();
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            wanted += i % WIDTH + 100 * (i / WIDTH) + 1000 * layer;
    }
    host_copy(seen, out, 1);
    REQUIRE(seen[0] == wanted, "sum %u, expected %u", seen[0], wanted);

    cudaArray_t plane;
    cudaChannelFormatDesc words = cudaCreateChannelDesc<unsigned>();
    CHECK(cudaMallocArray(&plane, &words, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    std::vector<unsigned> values(WIDTH * HEIGHT);
    for (unsigned i = 0; i < values.size(); i++)
        values[i] = 0x01020304 + i;
    CHECK(cudaMemcpy2DToArray(plane, 0, 0, values.data(), 4 * WIDTH, 4 * WIDTH, HEIGHT, cudaMemcpyHostToDevice));
    surface = surface_of(plane, &texture);
    edges<<<1, 1>>>(surface, out);
    LAUNCHED();
    host_copy(seen, out, 8);
    REQUIRE(seen[0] == values[WIDTH * (HEIGHT - 1)], "clamped %x", seen[0]);
    REQUIRE(seen[1] == 0, "zero %x", seen[1]);
    REQUIRE(seen[2] == values[1], "inside %x", seen[2]);
    REQUIRE(seen[3] == 1 + 2 + 3 + 4 + 2, "bytes %u", seen[3]);
    REQUIRE(seen[4] == 0x0102, "half of an element %x", seen[4]);
    std::vector<unsigned> now(values.size());
    CHECK(cudaMemcpy2DFromArray(now.data(), 4 * WIDTH, plane, 0, 0, 4 * WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    values.back() = 6;
    REQUIRE(now == values, "writes beyond the edge");
    outside<<<1, 1>>>(surface);
    EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    printf("ok %u\n", wanted);
    return 0;
}
