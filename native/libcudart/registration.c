/* The functions that nvcc's constructors and destructors call. They open no connection. */
#include <stdlib.h>

#include "runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_fatbinary *binaries;

void **facet___cudaRegisterFatBinary(void *wrapper)
{
    struct facet_fatbinary *binary = calloc(1, sizeof *binary);
    if (binary == NULL)
        return NULL;
    binary->wrapper = wrapper;
    pthread_mutex_init(&binary->lock, NULL);
    pthread_mutex_lock(&lock);
    binary->next = binaries;
    binaries = binary;
    pthread_mutex_unlock(&lock);
    return &binary->handle;
}

/* Takes it out of the list. False when it is not there: some programs unregister twice. */
static bool forget(struct facet_fatbinary *binary)
{
    pthread_mutex_lock(&lock);
    struct facet_fatbinary **place = &binaries;
    while (*place != NULL && *place != binary)
        place = &(*place)->next;
    bool found = *place != NULL;
    if (found)
        *place = binary->next;
    pthread_mutex_unlock(&lock);
    return found;
}

void facet___cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

static struct facet_symbol *add(void **handle, const void *key, enum facet_symbol_kind kind, const char *name)
{
    struct facet_fatbinary *binary = (struct facet_fatbinary *)handle;
    if (binary == NULL || key == NULL)
        return NULL;
    struct facet_symbol *symbol = calloc(1, sizeof *symbol);
    if (symbol == NULL)
        return NULL;
    symbol->key = key;
    symbol->kind = kind;
    symbol->binary = binary;
    symbol->name = name;
    pthread_mutex_lock(&binary->lock);
    symbol->next = binary->symbols;
    binary->symbols = symbol;
    pthread_mutex_unlock(&binary->lock);
    /* Without memory for it a later use finds nothing, and says so. */
    facet_registry_put(key, symbol);
    return symbol;
}

void facet___cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int thread_limit, void *thread, void *block,
                                  void *block_size, void *grid_size, int *warp_size)
{
    (void)device;
    (void)thread_limit;
    (void)thread;
    (void)block;
    (void)block_size;
    (void)grid_size;
    (void)warp_size;
    add(handle, host, FACET_KERNEL, name);
}

void facet___cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes, int constant, int global)
{
    (void)device;
    (void)external;
    (void)bytes;
    (void)constant;
    (void)global;
    add(handle, host, FACET_VARIABLE, name);
}

void facet___cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes, int constant, int global)
{
    (void)device;
    (void)external;
    (void)bytes;
    (void)constant;
    (void)global;
    struct facet_symbol *symbol = add(handle, host, FACET_MANAGED, name);
    if (symbol != NULL)
        symbol->managed = host;
}

/* Host variables that device code names: of use only where kernels reach all of the host's memory. */
void facet___cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    (void)handle;
    (void)name;
    (void)host;
    (void)bytes;
}

/* Functions that run on host and device alike: likewise. */
void facet___cudaRegisterUnifiedTable(void **handle, void *table)
{
    (void)handle;
    (void)table;
}

/* Called before the host uses a managed variable: its address is known when the module is loaded. */
char facet___cudaInitModule(void **handle)
{
    struct facet_fatbinary *binary = (struct facet_fatbinary *)handle;
    return binary != NULL && facet_finish(facet_load(binary)) == cudaSuccess;
}

static void free_symbol(struct facet_symbol *symbol)
{
    facet_registry_remove(symbol->key, symbol);
    facet_registry_remove(symbol, symbol);
    struct facet_binding *binding = symbol->bindings;
    while (binding != NULL) {
        struct facet_binding *next = binding->next;
        if (symbol->kind == FACET_MANAGED)
            facet_registry_remove((const void *)(uintptr_t)binding->address, symbol);
        free(binding);
        binding = next;
    }
    free(symbol);
}

void facet___cudaUnregisterFatBinary(void **handle)
{
    struct facet_fatbinary *binary = (struct facet_fatbinary *)handle;
    if (!forget(binary))
        return;
    struct facet_symbol *symbol = binary->symbols;
    while (symbol != NULL) {
        struct facet_symbol *next = symbol->next;
        free_symbol(symbol);
        symbol = next;
    }
    facet_unload(binary);
    pthread_mutex_destroy(&binary->lock);
    free(binary);
}

static cudaError_t kernel_of(cudaKernel_t *kernel, const void *function)
{
    if (kernel == NULL)
        return cudaErrorInvalidValue;
    struct facet_symbol *symbol = facet_registry_find(function);
    if (symbol == NULL || symbol->kind != FACET_KERNEL)
        return cudaErrorInvalidDeviceFunction;
    /* What stands for the kernel is its symbol; it is found under its own address too. */
    if (symbol->binary != NULL && facet_registry_find(symbol) == NULL && !facet_registry_put(symbol, symbol))
        return cudaErrorMemoryAllocation;
    *kernel = symbol->binary != NULL ? (cudaKernel_t)(void *)symbol : (cudaKernel_t)symbol->key;
    return cudaSuccess;
}

cudaError_t facet___cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    return facet_latch(kernel_of(kernel, function));
}

cudaError_t facet_cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    return facet_latch(kernel_of(kernel, function));
}
