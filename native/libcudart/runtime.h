/* What the parts of the runtime share. The runtime is written on the driver API alone.
 *
 * Every function of the API ends in facet_latch or facet_finish: they remember the error for
 * cudaGetLastError. Locks, in this order: a fat binary's, the registry's. No function
 * of the program runs under one.
 */
#ifndef FACET_CUDART_RUNTIME_H
#define FACET_CUDART_RUNTIME_H

#include <pthread.h>
#include <stdatomic.h>

#include "facet_cudart.h" /* generated: prototypes of what is written here; includes types.h */

/* ---- errors.c */

/* The runtime's number for a driver's error. */
cudaError_t facet_error(CUresult result);
/* Remembers an error for cudaGetLastError; returns it. */
cudaError_t facet_latch(cudaError_t error);
cudaError_t facet_finish(CUresult result); /* both */
/* After cudaDeviceReset, errors that could not be cleared are gone. */
void facet_errors_forgive(void);

/* ---- current.c: which device and which context the calling thread works with */

cudaError_t facet_device_count(int *count);
/* The driver's device for an ordinal. */
cudaError_t facet_device_handle(int ordinal, CUdevice *handle);
/* The device of the current context; without one, what the thread has chosen. */
cudaError_t facet_device_current(int *ordinal);
/* Whether the driver was initialized, by us: before that none of its other calls is made. */
bool facet_driver_ready(void);
/* Makes a context current if there is none: the primary one of the thread's device. */
CUresult facet_context_need(void);
/* Same, and gives the number of the current context, which no other context ever has. */
CUresult facet_context_number(unsigned long long *number);
/* Destroys the primary context of the thread's device. */
cudaError_t facet_context_reset(void);
/* Chooses the thread's device and makes its primary context current. */
cudaError_t facet_device_choose(int ordinal);
/* Runs on the primary context of a device, then goes back to the current one. */
cudaError_t facet_context_enter(int ordinal, CUcontext *before);
void facet_context_leave(CUcontext before);
/* The primary context of a device; copy.c. */
cudaError_t facet_context_of(int ordinal, CUcontext *context);

/* cudaStreamPerThread stands for the default stream in programs that are compiled for it. */
static inline cudaStream_t facet_stream(bool per_thread, cudaStream_t stream)
{
    return stream == NULL && per_thread ? cudaStreamPerThread : stream;
}

/* ---- registry.c: what nvcc's code registered before main */

struct facet_loaded; /* loader.c: a fat binary in one context */

struct facet_fatbinary {
    void *handle; /* what __cudaRegisterFatBinary returns points here */
    const void *wrapper;
    pthread_mutex_t lock;
    _Atomic(struct facet_loaded *) loaded;
    struct facet_symbol *symbols;
    struct facet_fatbinary *next;
};

enum facet_symbol_kind { FACET_KERNEL, FACET_VARIABLE, FACET_MANAGED };

/* What a symbol is in one context. Never changed, and freed with the symbol. */
struct facet_binding {
    unsigned long long context;
    CUfunction function; /* of a kernel */
    CUdeviceptr address; /* of a variable */
    size_t bytes;
    struct facet_binding *next;
};

struct facet_symbol {
    const void *key; /* host address: of the stub of a kernel, of a variable's shadow; or a CUkernel */
    enum facet_symbol_kind kind;
    struct facet_fatbinary *binary; /* NULL: a kernel of a cudaLibrary_t */
    const char *name;
    void **managed; /* where the program keeps the address of a managed variable */
    _Atomic(struct facet_binding *) bindings;
    struct facet_symbol *next; /* of the same binary */
};

/* What is registered under an address, or NULL. Takes no lock. */
struct facet_symbol *facet_registry_find(const void *key);
/* False when there is no memory for it. */
bool facet_registry_put(const void *key, struct facet_symbol *symbol);
/* The key of the kernel that is this function in some context, or NULL. Looks through all of them. */
const void *facet_registry_key(CUfunction function);
/* If the key still means that symbol. */
void facet_registry_remove(const void *key, const struct facet_symbol *symbol);

/* ---- loader.c */

CUresult facet_load(struct facet_fatbinary *binary);
void facet_unload(struct facet_fatbinary *binary);
/* What the symbol is in the current context, which is made if need be. */
CUresult facet_bind(struct facet_symbol *symbol, const struct facet_binding **binding);
/* For functions of the API that take the address of a kernel or of a variable. */
cudaError_t facet_bind_kernel(const void *function, CUfunction *handle);
cudaError_t facet_bind_variable(const void *symbol, CUdeviceptr *address, size_t *bytes);

/* symbol.c: where in a variable to copy; it must not end behind it. */
cudaError_t facet_symbol_part(const void *symbol, size_t bytes, size_t offset, void **address);

/* ---- copy.c */

cudaError_t facet_copy(void *destination, const void *source, size_t bytes, int kind, cudaStream_t stream, bool waits);

#endif
