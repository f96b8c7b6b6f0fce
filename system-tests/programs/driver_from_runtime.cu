// Both APIs in one program: entry points by name, runtime memory and streams in driver calls.
// forms: shared static
#include "check.h"

#include <cuda.h>

__global__ void add(int *data, int value)
{
    data[threadIdx.x] += value;
}

template <class F> F entry(const char *name)
{
    void *pointer = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion(name, &pointer, 12000, cudaEnableDefault, &found));
    REQUIRE(found == cudaDriverEntryPointSuccess && pointer != nullptr, "%s was not found", name);
    return reinterpret_cast<F>(pointer);
}

int main()
{
    CHECK(cudaFree(nullptr));
    auto current = entry<CUresult (*)(CUcontext *)>("cuCtxGetCurrent");
    auto fill = entry<CUresult (*)(CUdeviceptr, unsigned, size_t)>("cuMemsetD32");
    auto launch = entry<CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **)>(
        "cuLaunchKernel");
    auto wait = entry<CUresult (*)(CUstream)>("cuStreamSynchronize");
    CUcontext context = nullptr;
    REQUIRE(current(&context) == CUDA_SUCCESS && context != nullptr, "the runtime's context is not current");

    int *data = device_array<int>(32), host[32], seven = 7;
    REQUIRE(fill(reinterpret_cast<CUdeviceptr>(data), 1000, 32) == CUDA_SUCCESS, "fill");
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaFunction_t function; // a CUfunction
    CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(add)));
    void *arguments[] = {&data, &seven};
    REQUIRE(launch(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS, "launch");
    add<<<1, 32, 0, stream>>>(data, 1);
    LAUNCHED();
    REQUIRE(wait(stream) == CUDA_SUCCESS, "wait");
    host_copy(host, data, 32);
    REQUIRE(host[31] == 1008, "value %d", host[31]);
    void *nothing = &data;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuNoSuchThing", &nothing, 12000, cudaEnableDefault, &found);
    REQUIRE(found == cudaDriverEntryPointSymbolNotFound && nothing == nullptr, "found %d", found);
    printf("ok both\n");
    return 0;
}
