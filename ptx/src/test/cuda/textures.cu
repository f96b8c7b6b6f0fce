// Textures and surfaces by handle.
#include <cuda_runtime.h>
#include <texture_indirect_functions.h>

__global__ void sample(cudaTextureObject_t texture, float4 *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float4 a = tex2D<float4>(texture, x + 0.5f, y + 0.5f);
        float b = tex1D<float>(texture, x);
        float c = tex3D<float>(texture, x, y, 1.0f);
        float d = tex2DLod<float>(texture, x, y, 2.0f);
        float e = tex1Dfetch<float>(texture, x);
        float4 g = tex2Dgather<float4>(texture, x, y, 1);
        float h = tex2DLayered<float>(texture, x, y, 3);
        float i = texCubemap<float>(texture, x, y, 1.0f);
        out[y * width + x] = make_float4(a.x + b + e, a.y + c + g.x, a.z + d + h, a.w + i);
    }
}

__global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width) {
    int x = threadIdx.x;
    int y = threadIdx.y;
    uchar4 value;
    surf2Dread(&value, from, x * 4, y);
    surf2Dwrite(value, to, x * 4, y, cudaBoundaryModeClamp);
    int one;
    surf1Dread(&one, from, x * 4, cudaBoundaryModeZero);
    surf3Dwrite(one, to, x * 4, y, 1);
}
