/* What a library has: kernels, variables, its module in the current context. */
#include "library.h"

static CUresult library_of(CUlibrary handle, struct facet_library **library)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *library = facet_object(handle, FACET_LIBRARY);
    return *library == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

static CUresult kernel_of(CUkernel handle, struct facet_kernel **kernel)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *kernel = facet_object(handle, FACET_KERNEL);
    return *kernel == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

/* What was set on the kernel holds for its function too. */
static CUresult make_function(struct facet_kernel *kernel, struct facet_context *context, struct facet_function **function)
{
    struct facet_module *module;
    CUresult result = facet_library_module(kernel->library, context, &module);
    if (result != CUDA_SUCCESS)
        return result;
    int64_t index = facet_module_function_index(module, kernel->name);
    if (index < 0)
        return CUDA_ERROR_NOT_FOUND;
    struct facet_function *made = facet_module_function_at(module, (uint32_t)index);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->kernel = kernel;
    if (kernel->max_dynamic_shared >= 0)
        result = facet_function_set(made, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel->max_dynamic_shared);
    made->preferred_carveout = kernel->preferred_carveout;
    made->cache_config = kernel->cache_config;
    if (result == CUDA_SUCCESS) {
        atomic_store_explicit(&kernel->functions[context->object.id], made, memory_order_release);
        *function = made;
    }
    return result;
}

CUresult facet_kernel_function(struct facet_kernel *kernel, struct facet_context *context, struct facet_function **function)
{
    struct facet_function *known = atomic_load_explicit(&kernel->functions[context->object.id], memory_order_acquire);
    if (known == NULL)
        return make_function(kernel, context, function);
    *function = known;
    return CUDA_SUCCESS;
}

/* For what is the same in every context: any function of it will do. */
static CUresult any_function(struct facet_kernel *kernel, struct facet_function **function)
{
    struct facet_module *module;
    CUresult result = facet_library_any_module(kernel->library, &module);
    return result != CUDA_SUCCESS ? result : facet_kernel_function(kernel, module->object.context, function);
}

CUresult facet_cuLibraryGetKernel(CUkernel *kernel, CUlibrary handle, const char *name)
{
    struct facet_library *library;
    CUresult result = library_of(handle, &library);
    if (result != CUDA_SUCCESS)
        return result;
    if (kernel == NULL || name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_module *module;
    result = facet_library_any_module(library, &module);
    if (result != CUDA_SUCCESS)
        return result;
    int64_t index = facet_module_function_index(module, name);
    if (index < 0)
        return CUDA_ERROR_NOT_FOUND;
    struct facet_kernel *found;
    result = facet_library_kernel(library, module, (uint32_t)index, &found);
    if (result == CUDA_SUCCESS)
        *kernel = (CUkernel)found;
    return result;
}

CUresult facet_cuLibraryGetKernelCount(unsigned int *count, CUlibrary handle)
{
    struct facet_library *library;
    struct facet_module *module;
    CUresult result = library_of(handle, &library);
    if (result == CUDA_SUCCESS)
        result = count == NULL ? CUDA_ERROR_INVALID_VALUE : facet_library_any_module(library, &module);
    if (result == CUDA_SUCCESS)
        *count = module->function_count;
    return result;
}

CUresult facet_cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int capacity, CUlibrary handle)
{
    struct facet_library *library;
    struct facet_module *module;
    CUresult result = library_of(handle, &library);
    if (result == CUDA_SUCCESS)
        result = kernels == NULL || capacity == 0 ? CUDA_ERROR_INVALID_VALUE : facet_library_any_module(library, &module);
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < module->function_count && i < capacity; i++) {
        struct facet_kernel *kernel;
        result = facet_library_kernel(library, module, i, &kernel);
        if (result == CUDA_SUCCESS)
            kernels[i] = (CUkernel)kernel;
    }
    return result;
}

/* The library's module in the current context. */
static CUresult current_module(CUlibrary handle, struct facet_module **module)
{
    struct facet_library *library;
    CUresult result = library_of(handle, &library);
    struct facet_context *context;
    if (result == CUDA_SUCCESS)
        result = facet_context_current(&context);
    return result != CUDA_SUCCESS ? result : facet_library_module(library, context, module);
}

CUresult facet_cuLibraryGetModule(CUmodule *handle, CUlibrary library)
{
    struct facet_module *module;
    CUresult result = handle == NULL ? CUDA_ERROR_INVALID_VALUE : current_module(library, &module);
    if (result == CUDA_SUCCESS)
        *handle = (CUmodule)module;
    return result;
}

static CUresult variable_of(CUlibrary library, const char *name, CUdeviceptr *address, size_t *bytes, bool managed)
{
    if (name == NULL || (address == NULL && bytes == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_module *module;
    CUresult result = current_module(library, &module);
    if (result != CUDA_SUCCESS)
        return result;
    const struct facet_variable_record *variable = facet_module_variable(module, name);
    if (variable == NULL || (managed && variable->managed == 0))
        return CUDA_ERROR_NOT_FOUND;
    if (address != NULL)
        *address = (CUdeviceptr)variable->address;
    if (bytes != NULL)
        *bytes = variable->bytes;
    return CUDA_SUCCESS;
}

CUresult facet_cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return variable_of(library, name, address, bytes, false);
}

CUresult facet_cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return variable_of(library, name, address, bytes, true);
}

CUresult facet_cuKernelGetFunction(CUfunction *handle, CUkernel kernel_handle)
{
    struct facet_kernel *kernel;
    CUresult result = kernel_of(kernel_handle, &kernel);
    struct facet_context *context;
    if (result == CUDA_SUCCESS)
        result = handle == NULL ? CUDA_ERROR_INVALID_VALUE : facet_context_current(&context);
    struct facet_function *function;
    if (result == CUDA_SUCCESS)
        result = facet_kernel_function(kernel, context, &function);
    if (result == CUDA_SUCCESS)
        *handle = (CUfunction)function;
    return result;
}

CUresult facet_cuKernelGetLibrary(CUlibrary *library, CUkernel handle)
{
    struct facet_kernel *kernel;
    CUresult result = kernel_of(handle, &kernel);
    if (result == CUDA_SUCCESS && library == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *library = (CUlibrary)kernel->library;
    return result;
}

CUresult facet_cuKernelGetName(const char **name, CUkernel handle)
{
    struct facet_kernel *kernel;
    CUresult result = kernel_of(handle, &kernel);
    if (result == CUDA_SUCCESS && name == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *name = kernel->name;
    return result;
}

CUresult facet_cuKernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *bytes)
{
    struct facet_kernel *kernel;
    struct facet_function *function;
    CUresult result = kernel_of(handle, &kernel);
    if (result == CUDA_SUCCESS)
        result = any_function(kernel, &function);
    return result != CUDA_SUCCESS ? result : facet_cuFuncGetParamInfo((CUfunction)function, index, offset, bytes);
}

CUresult facet_cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel handle, CUdevice device)
{
    struct facet_kernel *kernel;
    struct facet_function *function;
    CUresult result = kernel_of(handle, &kernel);
    if (result == CUDA_SUCCESS && facet_device(device) == NULL)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        result = value == NULL ? CUDA_ERROR_INVALID_VALUE : any_function(kernel, &function);
    return result != CUDA_SUCCESS ? result : facet_function_get(function, (int)attribute, value);
}

CUresult facet_cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle, CUdevice device)
{
    struct facet_kernel *kernel;
    struct facet_function *function;
    CUresult result = kernel_of(handle, &kernel);
    if (result == CUDA_SUCCESS && facet_device(device) == NULL)
        result = CUDA_ERROR_INVALID_DEVICE;
    if (result == CUDA_SUCCESS)
        result = any_function(kernel, &function);
    if (result == CUDA_SUCCESS)
        result = facet_function_set(function, (int)attribute, value);
    for (int i = 0; i < FACET_CONTEXTS && result == CUDA_SUCCESS; i++) {
        struct facet_function *other = atomic_load(&kernel->functions[i]);
        if (other != NULL && other != function && other->object.context->device == device)
            result = facet_function_set(other, (int)attribute, value);
    }
    if (result == CUDA_SUCCESS && (int)attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        kernel->max_dynamic_shared = value;
    if (result == CUDA_SUCCESS && (int)attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        kernel->preferred_carveout = value;
    return result;
}

CUresult facet_cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device)
{
    struct facet_kernel *kernel;
    CUresult result = kernel_of(handle, &kernel);
    if (result != CUDA_SUCCESS)
        return result;
    if (facet_device(device) == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    if ((int)config < CU_FUNC_CACHE_PREFER_NONE || (int)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    kernel->cache_config = (int)config;
    return CUDA_SUCCESS;
}
