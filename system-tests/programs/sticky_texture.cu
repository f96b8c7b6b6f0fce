// Handles that are none end the kernel as a wrong address does: one that never was, one that is destroyed, a surface.
// forms: shared static
#include "check.h"

__global__ void read(cudaTextureObject_t texture, float *to)
{
    *to = tex2D<float>(texture, 1.5f, 0.5f);
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    for (int kind = 0; kind < 3; kind++) {
        cudaArray_t array;
        CHECK(cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc reading = {};
        cudaTextureObject_t texture = 0;
        CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
        float *to = device_array<float>(1);
        read<<<1, 1>>>(texture, to);
        CHECK(cudaDeviceSynchronize());
        if (kind == 0) {
            texture = 0x123456789abcdefULL;
        } else if (kind == 1) {
            CHECK(cudaDestroyTextureObject(texture));
            EXPECT(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
            cudaGetLastError();
        } else {
            CHECK(cudaCreateSurfaceObject(&texture, &resource));
        }
        read<<<1, 1>>>(texture, to);
        EXPECT(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
        EXPECT(cudaDeviceReset(), cudaSuccess);
    }
    printf("ok 3 handles\n");
    return 0;
}
