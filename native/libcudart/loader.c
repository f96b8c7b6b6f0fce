/* Modules are loaded when the first of their symbols is used in a context, and then kept. */
#include <stdlib.h>

#include "runtime.h"

struct facet_loaded {
    unsigned long long context;
    CUmodule module;
    CUresult result; /* why it cannot be loaded here; asked once only, for it does not change */
    struct facet_loaded *next;
};

static struct facet_loaded *loaded_in(struct facet_fatbinary *binary, unsigned long long context)
{
    struct facet_loaded *loaded = atomic_load_explicit(&binary->loaded, memory_order_acquire);
    while (loaded != NULL && loaded->context != context)
        loaded = loaded->next;
    return loaded;
}

static struct facet_binding *bound_in(struct facet_symbol *symbol, unsigned long long context)
{
    struct facet_binding *binding = atomic_load_explicit(&symbol->bindings, memory_order_acquire);
    while (binding != NULL && binding->context != context)
        binding = binding->next;
    return binding;
}

static bool is_final(CUresult result)
{
    return result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_INVALID_PTX ||
           result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

/* With the binary's lock. */
static struct facet_binding *bind(struct facet_symbol *symbol, unsigned long long context, CUfunction function, CUdeviceptr address, size_t bytes)
{
    struct facet_binding *binding = calloc(1, sizeof *binding);
    if (binding == NULL)
        return NULL;
    binding->context = context;
    binding->function = function;
    binding->address = address;
    binding->bytes = bytes;
    binding->next = symbol->bindings;
    atomic_store_explicit(&symbol->bindings, binding, memory_order_release);
    return binding;
}

/* The program reads and writes managed variables through a pointer that gets its value now. A
 * variable lives in the first context that loads it. */
static void place_managed(struct facet_fatbinary *binary, struct facet_loaded *loaded)
{
    for (struct facet_symbol *symbol = binary->symbols; symbol != NULL; symbol = symbol->next) {
        CUdeviceptr address;
        size_t bytes;
        if (symbol->kind != FACET_MANAGED || cuModuleGetGlobal_v2(&address, &bytes, loaded->module, symbol->name) != CUDA_SUCCESS)
            continue;
        if (symbol->bindings == NULL)
            *symbol->managed = (void *)(uintptr_t)address;
        bind(symbol, loaded->context, NULL, address, bytes);
        facet_registry_put((const void *)(uintptr_t)address, symbol);
    }
}

/* With the binary's lock. */
static CUresult load(struct facet_fatbinary *binary, unsigned long long context, CUmodule *module)
{
    struct facet_loaded *loaded = loaded_in(binary, context);
    if (loaded == NULL) {
        loaded = calloc(1, sizeof *loaded);
        if (loaded == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        loaded->context = context;
        loaded->result = cuModuleLoadData(&loaded->module, binary->wrapper);
        if (loaded->result != CUDA_SUCCESS && !is_final(loaded->result)) {
            CUresult result = loaded->result;
            free(loaded);
            return result;
        }
        loaded->next = binary->loaded;
        atomic_store_explicit(&binary->loaded, loaded, memory_order_release);
        if (loaded->result == CUDA_SUCCESS)
            place_managed(binary, loaded);
    }
    *module = loaded->module;
    return loaded->result;
}

CUresult facet_load(struct facet_fatbinary *binary)
{
    unsigned long long context;
    CUresult result = facet_context_number(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_loaded *loaded = loaded_in(binary, context);
    if (loaded != NULL)
        return loaded->result;
    CUmodule module;
    pthread_mutex_lock(&binary->lock);
    result = load(binary, context, &module);
    pthread_mutex_unlock(&binary->lock);
    return result;
}

void facet_unload(struct facet_fatbinary *binary)
{
    struct facet_loaded *loaded = binary->loaded;
    unsigned long long context = 0;
    CUcontext current = NULL;
    /* Not facet_context_need: at the program's end no context is made for this. */
    bool any = facet_driver_ready() && cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != NULL && facet_context_number(&context) == CUDA_SUCCESS;
    while (loaded != NULL) {
        struct facet_loaded *next = loaded->next;
        /* Modules of other contexts end with them. */
        if (any && loaded->context == context && loaded->result == CUDA_SUCCESS)
            cuModuleUnload(loaded->module);
        free(loaded);
        loaded = next;
    }
}

/* With the binary's lock. */
static CUresult look_up(struct facet_symbol *symbol, unsigned long long context, struct facet_binding **binding)
{
    *binding = bound_in(symbol, context);
    if (*binding != NULL)
        return CUDA_SUCCESS;
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    CUresult result = load(symbol->binary, context, &module);
    if (result != CUDA_SUCCESS)
        return result;
    *binding = bound_in(symbol, context); /* a managed variable is bound by now */
    if (*binding != NULL)
        return CUDA_SUCCESS;
    if (symbol->kind == FACET_KERNEL)
        result = cuModuleGetFunction(&function, module, symbol->name);
    else
        result = cuModuleGetGlobal_v2(&address, &bytes, module, symbol->name);
    if (result != CUDA_SUCCESS)
        return result;
    *binding = bind(symbol, context, function, address, bytes);
    return *binding == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* Kernels of a cudaLibrary_t: the driver keeps them for every context. */
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult look_up_kernel(struct facet_symbol *symbol, unsigned long long context, struct facet_binding **binding)
{
    *binding = bound_in(symbol, context);
    if (*binding != NULL)
        return CUDA_SUCCESS;
    CUfunction function;
    CUresult result = cuKernelGetFunction(&function, (CUkernel)symbol->key);
    if (result != CUDA_SUCCESS)
        return result;
    *binding = bind(symbol, context, function, 0, 0);
    return *binding == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult facet_bind(struct facet_symbol *symbol, const struct facet_binding **found)
{
    unsigned long long context;
    CUresult result = facet_context_number(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_binding *binding = bound_in(symbol, context);
    if (__builtin_expect(binding == NULL, 0)) {
        pthread_mutex_t *lock = symbol->binary == NULL ? &library_lock : &symbol->binary->lock;
        pthread_mutex_lock(lock);
        result = symbol->binary == NULL ? look_up_kernel(symbol, context, &binding) : look_up(symbol, context, &binding);
        pthread_mutex_unlock(lock);
    }
    *found = binding;
    return result;
}

cudaError_t facet_bind_kernel(const void *function, CUfunction *handle)
{
    struct facet_symbol *symbol = facet_registry_find(function);
    if (symbol == NULL || symbol->kind != FACET_KERNEL)
        return cudaErrorInvalidDeviceFunction;
    const struct facet_binding *binding;
    CUresult result = facet_bind(symbol, &binding);
    if (result == CUDA_ERROR_NOT_FOUND)
        return cudaErrorInvalidDeviceFunction;
    if (result != CUDA_SUCCESS)
        return facet_error(result);
    *handle = binding->function;
    return cudaSuccess;
}

cudaError_t facet_bind_variable(const void *key, CUdeviceptr *address, size_t *bytes)
{
    struct facet_symbol *symbol = facet_registry_find(key);
    if (symbol == NULL || symbol->kind == FACET_KERNEL)
        return cudaErrorInvalidSymbol;
    const struct facet_binding *binding;
    CUresult result = facet_bind(symbol, &binding);
    if (result == CUDA_ERROR_NOT_FOUND)
        return cudaErrorInvalidSymbol;
    if (result != CUDA_SUCCESS)
        return facet_error(result);
    *address = binding->address;
    *bytes = binding->bytes;
    return cudaSuccess;
}
