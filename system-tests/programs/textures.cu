// Textures over linear, pitched and array memory: read modes, filters, edges, layers, faces, levels, gathers.
// forms: shared static
#include "check.h"

#include <cuda_fp16.h>

#include <vector>

enum { COUNT = 64 };

struct Place {
    float x, y, z, level;
    int layer, kind;
};

enum { FETCH, LINE, PLANE, VOLUME, LAYERS_1, LAYERS_2, CUBE, CUBES, LEVEL, GRADIENT, GATHER };

__global__ void read(cudaTextureObject_t texture, const Place *places, float4 *to)
{
    Place at = places[threadIdx.x];
    float4 *out = to + threadIdx.x;
    switch (at.kind) {
    case FETCH:
        *out = make_float4(tex1Dfetch<float>(texture, at.layer), 0, 0, 0);
        break;
    case LINE:
        *out = tex1D<float4>(texture, at.x);
        break;
    case PLANE:
        *out = tex2D<float4>(texture, at.x, at.y);
        break;
    case VOLUME:
        *out = tex3D<float4>(texture, at.x, at.y, at.z);
        break;
    case LAYERS_1:
        *out = tex1DLayered<float4>(texture, at.x, at.layer);
        break;
    case LAYERS_2:
        *out = tex2DLayered<float4>(texture, at.x, at.y, at.layer);
        break;
    case CUBE:
        *out = texCubemap<float4>(texture, at.x, at.y, at.z);
        break;
    case CUBES:
        *out = texCubemapLayered<float4>(texture, at.x, at.y, at.z, at.layer);
        break;
    case LEVEL:
        *out = tex2DLod<float4>(texture, at.x, at.y, at.level);
        break;
    case GRADIENT:
        *out = tex2DGrad<float4>(texture, at.x, at.y, make_float2(at.level, 0), make_float2(0, 0));
        break;
    default:
        *out = tex2Dgather<float4>(texture, at.x, at.y, at.layer);
        break;
    }
}

static Place *places;
static float4 *results;
static cudaTextureObject_t texture;
static int checks;

static void open(const cudaResourceDesc &resource, cudaTextureReadMode mode, bool linear, bool normalized, cudaTextureAddressMode edge)
{
    cudaTextureDesc reading = {};
    for (int i = 0; i < 3; i++)
        reading.addressMode[i] = edge;
    reading.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    reading.mipmapFilterMode = reading.filterMode;
    reading.readMode = mode;
    reading.normalizedCoords = normalized;
    reading.maxMipmapLevelClamp = 10;
    reading.borderColor[0] = 77;
    CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
    cudaTextureDesc again;
    CHECK(cudaGetTextureObjectTextureDesc(&again, texture));
    REQUIRE(again.filterMode == reading.filterMode && again.readMode == mode && again.normalizedCoords == reading.normalizedCoords, "kept");
}

static float4 at(Place place)
{
    float4 result;
    CHECK(cudaMemcpy(places, &place, sizeof place, cudaMemcpyHostToDevice));
    read<<<1, 1>>>(texture, places, results);
    LAUNCHED();
    CHECK(cudaMemcpy(&result, results, sizeof result, cudaMemcpyDeviceToHost));
    return result;
}

static void same(float got, float want, const char *what)
{
    REQUIRE(fabsf(got - want) < 1e-5f * (1 + fabsf(want)), "%s: %.9g, expected %.9g", what, got, want);
    checks++;
}

static void close_texture()
{
    CHECK(cudaDestroyTextureObject(texture));
}

static cudaResourceDesc of_array(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaArray_t array_of(const std::vector<float> &values, size_t width, size_t height, size_t depth, unsigned flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
    cudaMemcpy3DParms copy = {};
    size_t rows = height == 0 ? 1 : height;
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float *>(values.data()), width * sizeof(float), width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, rows, depth == 0 ? 1 : depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

static std::vector<float> ramp(size_t count)
{
    std::vector<float> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = static_cast<float>(i);
    return values;
}

static void linear_memory()
{
    float *memory = device_array<float>(16);
    std::vector<float> values = ramp(16);
    CHECK(cudaMemcpy(memory, values.data(), 16 * sizeof(float), cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 16 * sizeof(float);
    open(resource, cudaReadModeElementType, false, false, cudaAddressModeClamp);
    same(at({0, 0, 0, 0, 15, FETCH}).x, 15, "fetch");
    same(at({0, 0, 0, 0, 16, FETCH}).x, 0, "fetch behind the end");
    same(at({0, 0, 0, 0, -1, FETCH}).x, 0, "fetch before the start");
    close_texture();
    cudaFree(memory);
}

static void pitched_memory()
{
    unsigned char *memory;
    size_t pitch;
    CHECK(cudaMallocPitch(&memory, &pitch, 4 * 4, 3));
    unsigned char bytes[3][16];
    for (int i = 0; i < 48; i++)
        bytes[i / 16][i % 16] = static_cast<unsigned char>(5 * i);
    CHECK(cudaMemcpy2D(memory, pitch, bytes, 16, 16, 3, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 3;
    resource.res.pitch2D.pitchInBytes = pitch;
    open(resource, cudaReadModeNormalizedFloat, true, false, cudaAddressModeClamp);
    float4 middle = at({2, 1, 0, 0, 0, PLANE});
    same(middle.y, (bytes[0][5] + bytes[0][9] + bytes[1][5] + bytes[1][9]) / 4 / 255.0f, "between four");
    same(at({1.5f, 2.5f, 0, 0, 0, PLANE}).w, bytes[2][7] / 255.0f, "one of them");
    close_texture();
    cudaFree(memory);
}

static void edges()
{
    cudaArray_t array = array_of(ramp(8), 8, 0, 0, 0);
    float4 got;
    open(of_array(array), cudaReadModeElementType, false, true, cudaAddressModeWrap);
    same(at({1.0f / 16 + 3, 0, 0, 0, 0, LINE}).x, 0, "wrap");
    same(at({-1.0f / 16, 0, 0, 0, 0, LINE}).x, 7, "wrap below");
    close_texture();
    open(of_array(array), cudaReadModeElementType, true, true, cudaAddressModeWrap);
    same(at({0, 0, 0, 0, 0, LINE}).x, 3.5f, "wrap between last and first");
    close_texture();
    open(of_array(array), cudaReadModeElementType, false, true, cudaAddressModeMirror);
    same(at({1 + 1.0f / 16, 0, 0, 0, 0, LINE}).x, 7, "mirror");
    same(at({-3.0f / 16, 0, 0, 0, 0, LINE}).x, 1, "mirror below");
    close_texture();
    open(of_array(array), cudaReadModeElementType, true, false, cudaAddressModeBorder);
    same(at({0, 0, 0, 0, 0, LINE}).x, 77 / 2.0f, "half of the border");
    same(at({-4, 0, 0, 0, 0, LINE}).x, 77, "border");
    /* 0.3 of a step is 77 parts of 256. */
    same(at({2.8f, 0, 0, 0, 0, LINE}).x, 2 + 77 / 256.0f, "weights have 8 bits");
    close_texture();
    open(of_array(array), cudaReadModeElementType, false, false, cudaAddressModeClamp);
    got = at({1e30f, 0, 0, 0, 0, LINE});
    same(got.x, 7, "clamp");
    same(at({-1e30f, 0, 0, 0, 0, LINE}).x, 0, "clamp below");
    close_texture();
    CHECK(cudaFreeArray(array));
}

static void slices()
{
    cudaArray_t volume = array_of(ramp(4 * 3 * 2), 4, 3, 2, 0);
    open(of_array(volume), cudaReadModeElementType, true, false, cudaAddressModeClamp);
    same(at({2, 1.5f, 1, 0, 0, VOLUME}).x, (5 + 6 + 17 + 18) / 4.0f, "between slices");
    close_texture();
    cudaArray_t lines = array_of(ramp(4 * 3), 4, 0, 3, cudaArrayLayered);
    open(of_array(lines), cudaReadModeElementType, false, false, cudaAddressModeClamp);
    same(at({2.5f, 0, 0, 0, 1, LAYERS_1}).x, 6, "layer of a line");
    same(at({2.5f, 0, 0, 0, 9, LAYERS_1}).x, 10, "the last layer");
    close_texture();
    cudaArray_t planes = array_of(ramp(4 * 2 * 3), 4, 2, 3, cudaArrayLayered);
    open(of_array(planes), cudaReadModeElementType, true, false, cudaAddressModeClamp);
    same(at({2, 1, 0, 0, 2, LAYERS_2}).x, 16 + (1 + 2 + 5 + 6) / 4.0f, "layer of a plane");
    close_texture();
    cudaArray_t cube = array_of(ramp(2 * 2 * 12), 2, 2, 12, cudaArrayCubemap | cudaArrayLayered);
    open(of_array(cube), cudaReadModeElementType, false, true, cudaAddressModeClamp);
    /* Faces are +x, -x, +y, -y, +z, -z; the second cube begins at 24. */
    same(at({1, 0.5f, 0.5f, 0, 0, CUBES}).x, 0, "+x");
    same(at({-1, -0.5f, 0.5f, 0, 1, CUBES}).x, 24 + 4 + 3, "-x of the second");
    same(at({0.5f, 1, 0.5f, 0, 0, CUBES}).x, 8 + 3, "+y");
    same(at({0.5f, 0.5f, -1, 0, 0, CUBES}).x, 20, "-z");
    close_texture();
    CHECK(cudaFreeArray(volume));
    CHECK(cudaFreeArray(lines));
    CHECK(cudaFreeArray(planes));
    CHECK(cudaFreeArray(cube));
}

static void levels()
{
    cudaMipmappedArray_t whole;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&whole, &format, make_cudaExtent(8, 8, 0), 99));
    for (unsigned i = 0; i < 4; i++) {
        cudaArray_t level;
        cudaExtent extent;
        CHECK(cudaGetMipmappedArrayLevel(&level, whole, i));
        CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
        REQUIRE(extent.width == 8u >> i && extent.height == 8u >> i, "level %u has %zu", i, extent.width);
        std::vector<float> values(extent.width * extent.height, 10.0f * i);
        CHECK(cudaMemcpy2DToArray(level, 0, 0, values.data(), extent.width * 4, extent.width * 4, extent.height, cudaMemcpyHostToDevice));
        EXPECT(cudaFreeArray(level), cudaErrorInvalidValue);
    }
    cudaArray_t none;
    EXPECT(cudaGetMipmappedArrayLevel(&none, whole, 4), cudaErrorInvalidValue);
    cudaGetLastError();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = whole;
    open(resource, cudaReadModeElementType, true, true, cudaAddressModeClamp);
    same(at({0.3f, 0.7f, 0, 1, 0, LEVEL}).x, 10, "level 1");
    same(at({0.3f, 0.7f, 0, 1.5f, 0, LEVEL}).x, 15, "between levels");
    same(at({0.3f, 0.7f, 0, 50, 0, LEVEL}).x, 30, "the last level");
    same(at({0.3f, 0.7f, 0, 0.5f, 0, GRADIENT}).x, 20, "four elements a step are level 2");
    same(at({0.3f, 0.7f, 0, 0, 0, PLANE}).x, 0, "the first level");
    close_texture();
    CHECK(cudaFreeMipmappedArray(whole));
}

static void gathers()
{
    cudaArray_t array = array_of(ramp(16), 4, 4, 0, cudaArrayTextureGather);
    open(of_array(array), cudaReadModeElementType, false, false, cudaAddressModeClamp);
    float4 got = at({2, 2, 0, 0, 0, GATHER});
    REQUIRE(got.x == 9 && got.y == 10 && got.z == 6 && got.w == 5, "gathered %g %g %g %g", got.x, got.y, got.z, got.w);
    close_texture();
    CHECK(cudaFreeArray(array));
    __half halves[4] = {__float2half(0.5f), __float2half(1.5f), __float2half(-2.0f), __float2half(3.0f)};
    cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
    CHECK(cudaMallocArray(&array, &format, 4, 1));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, halves, 8, 8, 1, cudaMemcpyHostToDevice));
    open(of_array(array), cudaReadModeElementType, true, false, cudaAddressModeClamp);
    same(at({2, 0.5f, 0, 0, 0, PLANE}).x, -0.25f, "halves");
    close_texture();
    CHECK(cudaFreeArray(array));
}

static void refused()
{
    cudaArray_t array;
    cudaChannelFormatDesc integers = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&array, &integers, 4, 4));
    cudaResourceDesc resource = of_array(array);
    cudaTextureDesc reading = {};
    reading.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), cudaErrorInvalidFilterSetting);
    reading.readMode = cudaReadModeNormalizedFloat;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), cudaErrorInvalidNormSetting);
    EXPECT(cudaMallocArray(&array, &integers, SIZE_MAX / 4, 4), cudaErrorInvalidValue);
    EXPECT(cudaMallocArray(&array, &integers, size_t{1} << 31, 4), cudaErrorInvalidValue);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = nullptr;
    resource.res.linear.desc = integers;
    resource.res.linear.sizeInBytes = 64;
    reading = {};
    EXPECT(cudaCreateTextureObject(&texture, &resource, &reading, nullptr), cudaErrorInvalidValue);
    cudaGetLastError();
}

int main()
{
    places = device_array<Place>(COUNT);
    results = device_array<float4>(COUNT);
    linear_memory();
    pitched_memory();
    edges();
    slices();
    levels();
    gathers();
    refused();
    printf("ok %d values\n", checks);
    return 0;
}
