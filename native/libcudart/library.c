/* Libraries that the program loads itself. */
#include <stdlib.h>

#include "runtime.h"

/* Numbers of the options are those of the driver. */
cudaError_t facet_cudaLibraryLoadData(cudaLibrary_t *library, const void *code, int *jit_options, void **jit_values, unsigned jit_count, int *options,
                                      void **values, unsigned count)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryLoadData(library, code, (void *)jit_options, jit_values, jit_count, (void *)options, values, count);
    return facet_finish(result);
}

cudaError_t facet_cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, int *jit_options, void **jit_values, unsigned jit_count,
                                          int *options, void **values, unsigned count)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryLoadFromFile(library, file, (void *)jit_options, jit_values, jit_count, (void *)options, values, count);
    return facet_finish(result);
}

/* A kernel of a library is found under its handle from now on. */
static cudaError_t remember(cudaKernel_t kernel)
{
    if (facet_registry_find(kernel) != NULL)
        return cudaSuccess;
    struct facet_symbol *symbol = calloc(1, sizeof *symbol);
    if (symbol == NULL)
        return cudaErrorMemoryAllocation;
    symbol->key = kernel;
    symbol->kind = FACET_KERNEL;
    if (facet_registry_put(kernel, symbol))
        return cudaSuccess;
    free(symbol);
    return cudaErrorMemoryAllocation;
}

static void forget(cudaKernel_t kernel)
{
    struct facet_symbol *symbol = facet_registry_find(kernel);
    if (symbol == NULL || symbol->binary != NULL)
        return;
    facet_registry_remove(kernel, symbol);
    struct facet_binding *binding = symbol->bindings;
    while (binding != NULL) {
        struct facet_binding *next = binding->next;
        free(binding);
        binding = next;
    }
    free(symbol);
}

/* Calls visit for every kernel of the library; errors of the driver end it. */
static CUresult each_kernel(cudaLibrary_t library, void (*visit)(cudaKernel_t kernel))
{
    unsigned count = 0;
    CUresult result = cuLibraryGetKernelCount(&count, library);
    if (result != CUDA_SUCCESS || count == 0)
        return result;
    cudaKernel_t *kernels = calloc(count, sizeof *kernels);
    if (kernels == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = cuLibraryEnumerateKernels(kernels, count, library);
    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++)
        visit(kernels[i]);
    free(kernels);
    return result;
}

cudaError_t facet_cudaLibraryUnload(cudaLibrary_t library)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = each_kernel(library, forget);
    return facet_finish(result == CUDA_SUCCESS ? cuLibraryUnload(library) : result);
}

cudaError_t facet_cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetKernel(kernel, library, name);
    return result == CUDA_SUCCESS ? facet_latch(remember(*kernel)) : facet_finish(result);
}

cudaError_t facet_cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name)
{
    CUdeviceptr address = 0;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetGlobal(&address, bytes, library, name);
    if (result == CUDA_SUCCESS && pointer != NULL)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name)
{
    CUdeviceptr address = 0;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetManaged(&address, bytes, library, name);
    if (result == CUDA_SUCCESS && pointer != NULL)
        *pointer = (void *)(uintptr_t)address;
    return facet_finish(result);
}

cudaError_t facet_cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    CUresult result = facet_context_need();
    return facet_finish(result == CUDA_SUCCESS ? cuLibraryGetKernelCount(count, library) : result);
}

cudaError_t facet_cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library)
{
    unsigned there = 0;
    CUresult result = facet_context_need();
    if (result == CUDA_SUCCESS)
        result = cuLibraryGetKernelCount(&there, library);
    if (result == CUDA_SUCCESS)
        result = cuLibraryEnumerateKernels(kernels, count, library);
    cudaError_t error = facet_error(result);
    for (unsigned i = 0; i < count && i < there && error == cudaSuccess; i++)
        error = remember(kernels[i]);
    return facet_latch(error);
}

struct cudaChannelFormatDesc facet_cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
