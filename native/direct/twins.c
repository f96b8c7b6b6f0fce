#include "twins.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "time.h"
#include "vendor.h"
#include "work.h"

enum { SEEN = 64, BUCKETS = 1024 };

/* A handle that the program has of a kernel that is there twice. */
struct handle {
    struct handle *next;
    CUfunction function;
    struct facet_twin *twin;
    bool of_library;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct facet_code *codes;
static struct handle *handles[BUCKETS];
static _Atomic uint32_t code_count;
static _Atomic uint64_t generation = 1; /* of what threads remember */

static __thread struct {
    uint64_t generation;
    struct {
        CUfunction function;
        struct facet_twin *twin;
        bool of_library;
    } entries[SEEN];
} seen;

static size_t place(CUfunction function, size_t places)
{
    uint64_t key = (uint64_t)(uintptr_t)function * 0x9E3779B97F4A7C15ull;
    return (size_t)(key >> 32) & (places - 1);
}

bool facet_twins_any(void)
{
    return atomic_load_explicit(&code_count, memory_order_relaxed) != 0;
}

/* ---- handles; the lock is held */

static struct handle **find_handle(CUfunction function)
{
    struct handle **link = &handles[place(function, BUCKETS)];
    while (*link != NULL && (*link)->function != function)
        link = &(*link)->next;
    return link;
}

static void forget_handle(struct handle **link)
{
    struct handle *gone = *link;
    *link = gone->next;
    free(gone);
}

/* The handle is this twin's from now on, whatever it was before; NULL: no twin's. */
static void remember(CUfunction function, struct facet_twin *twin, bool of_library)
{
    struct handle **link = find_handle(function);
    if (*link != NULL)
        forget_handle(link);
    struct handle *made = twin == NULL ? NULL : malloc(sizeof *made);
    if (made != NULL) {
        struct handle **head = &handles[place(function, BUCKETS)];
        *made = (struct handle){.next = *head, .function = function, .twin = twin, .of_library = of_library};
        *head = made;
    }
    atomic_fetch_add(&generation, 1);
}

struct facet_twin *facet_twin_of(CUfunction function, bool *of_library)
{
    uint64_t now = atomic_load_explicit(&generation, memory_order_acquire);
    size_t at = place(function, SEEN);
    if (seen.generation != now) {
        memset(&seen, 0, sizeof seen);
        seen.generation = now;
    }
    if (seen.entries[at].function != function || function == NULL) {
        pthread_mutex_lock(&lock);
        struct handle *found = *find_handle(function);
        seen.entries[at].function = function;
        seen.entries[at].twin = found == NULL ? NULL : found->twin;
        seen.entries[at].of_library = found != NULL && found->of_library;
        pthread_mutex_unlock(&lock);
    }
    *of_library = seen.entries[at].of_library;
    return seen.entries[at].twin;
}

CUfunction facet_twin_function(struct facet_twin *twin)
{
    CUfunction function = atomic_load(&twin->function);
    if (function != NULL)
        return function;
    CUresult result;
    if (twin->code->module != NULL) {
        result = facet_vendor.cuModuleGetFunction(&function, twin->code->module, twin->name);
    } else {
        CUkernel kernel;
        result = facet_vendor.cuLibraryGetKernel(&kernel, twin->code->library, twin->name);
        function = (CUfunction)kernel;
    }
    if (result != CUDA_SUCCESS)
        return NULL;
    atomic_store(&twin->function, function);
    return function;
}

/* ---- code; the lock is held */

static struct facet_code *find_code(CUmodule module, CUlibrary library)
{
    for (struct facet_code *each = codes; each != NULL; each = each->next)
        if (module != NULL ? each->module == module : each->library == library && each->module == NULL)
            return each;
    return NULL;
}

static struct facet_twin *twin_named(struct facet_code *code, const char *kernel)
{
    for (uint32_t i = 0; code != NULL && kernel != NULL && i < code->count; i++)
        if (strcmp(code->twins[i].kernel, kernel) == 0)
            return &code->twins[i];
    return NULL;
}

void facet_twins_discard(struct facet_code *code)
{
    free(code->text);
    free(code->twins);
    free(code);
}

static void remove_code(struct facet_code **link)
{
    struct facet_code *gone = *link;
    *link = gone->next;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct handle **each = &handles[i]; *each != NULL;) {
            if ((*each)->twin->code == gone)
                forget_handle(each);
            else
                each = &(*each)->next;
        }
    for (uint32_t i = 0; i < gone->count; i++)
        facet_time_forget(&gone->twins[i].pace);
    facet_twins_discard(gone);
    atomic_fetch_sub(&code_count, 1);
    atomic_fetch_add(&generation, 1);
}

/* What the kernels of libraries are in a context is gone with it; which context that is nobody knows. */
static void forget_functions(void)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct handle **each = &handles[i]; *each != NULL;) {
            if ((*each)->twin->code->module == NULL && !(*each)->of_library)
                forget_handle(each);
            else
                each = &(*each)->next;
        }
    atomic_fetch_add(&generation, 1);
}

static bool is_of(const struct facet_code *code, CUmodule module, CUlibrary library)
{
    return module != NULL ? code->module == module : code->module == NULL && code->library == library;
}

static void unloaded(CUmodule module, CUlibrary library)
{
    for (struct facet_code **link = &codes; *link != NULL;) {
        if (is_of(*link, module, library))
            remove_code(link);
        else
            link = &(*link)->next;
    }
}

void facet_twins_unloaded(CUmodule module, CUlibrary library)
{
    if (!facet_twins_any())
        return;
    pthread_mutex_lock(&lock);
    unloaded(module, library);
    pthread_mutex_unlock(&lock);
}

void facet_twins_loaded(CUmodule module, CUlibrary library, struct facet_code *code)
{
    if (code == NULL && !facet_twins_any())
        return;
    struct facet_where where = {0};
    facet_where(&where);
    pthread_mutex_lock(&lock);
    unloaded(module, library); /* its context ended, and somebody else has its number now */
    if (code != NULL) {
        code->module = module;
        code->library = library;
        code->context = module != NULL ? where.context : NULL;
        code->next = codes;
        codes = code;
        atomic_fetch_add(&code_count, 1);
    }
    pthread_mutex_unlock(&lock);
}

void facet_twins_context_ends(CUcontext context)
{
    if (!facet_twins_any())
        return;
    pthread_mutex_lock(&lock);
    for (struct facet_code **link = &codes; *link != NULL;) {
        if ((*link)->module != NULL && (*link)->context == context)
            remove_code(link);
        else
            link = &(*link)->next;
    }
    forget_functions();
    pthread_mutex_unlock(&lock);
}

/* A child has no session and no context, and the lock may be held by nobody. */
void facet_twins_forked(void)
{
    atomic_store(&code_count, 0);
    codes = NULL;
}

/* ---- what programs ask */

static void met(CUfunction function, CUmodule module, CUlibrary library, const char *name)
{
    pthread_mutex_lock(&lock);
    remember(function, twin_named(find_code(module, library), name), module == NULL);
    pthread_mutex_unlock(&lock);
}

CUresult facet_direct_cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    CUresult result = facet_vendor.cuModuleGetFunction(function, module, name);
    if (result == CUDA_SUCCESS && facet_twins_any())
        met(*function, module, NULL, name);
    return result;
}

CUresult facet_direct_cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    CUresult result = facet_vendor.cuLibraryGetKernel(kernel, library, name);
    if (result == CUDA_SUCCESS && facet_twins_any())
        met((CUfunction)*kernel, NULL, library, name);
    return result;
}

/* The kernel of a library in the current context. */
CUresult facet_direct_cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    CUresult result = facet_vendor.cuKernelGetFunction(function, kernel);
    if (result == CUDA_SUCCESS && facet_twins_any() && (void *)*function != (void *)kernel) {
        pthread_mutex_lock(&lock);
        struct handle *known = *find_handle((CUfunction)kernel);
        remember(*function, known == NULL ? NULL : known->twin, false);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

/* ---- what is listed: only what the program has */

static uint32_t twins_in(CUmodule module, CUlibrary library)
{
    if (!facet_twins_any())
        return 0;
    pthread_mutex_lock(&lock);
    struct facet_code *code = find_code(module, library);
    uint32_t count = code == NULL ? 0 : code->count;
    pthread_mutex_unlock(&lock);
    return count;
}

static bool is_twin(CUmodule module, CUlibrary library, const char *name)
{
    pthread_mutex_lock(&lock);
    struct facet_code *code = find_code(module, library);
    bool found = false;
    for (uint32_t i = 0; code != NULL && name != NULL && i < code->count && !found; i++)
        found = strcmp(code->twins[i].name, name) == 0;
    pthread_mutex_unlock(&lock);
    return found;
}

CUresult facet_direct_cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
    CUresult result = facet_vendor.cuModuleGetFunctionCount(count, module);
    uint32_t less = result == CUDA_SUCCESS ? twins_in(module, NULL) : 0;
    *count -= less < *count ? less : 0;
    return result;
}

CUresult facet_direct_cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
    CUresult result = facet_vendor.cuLibraryGetKernelCount(count, library);
    uint32_t less = result == CUDA_SUCCESS ? twins_in(NULL, library) : 0;
    *count -= less < *count ? less : 0;
    return result;
}

CUresult facet_direct_cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module)
{
    unsigned int all = 0, taken = 0;
    if (twins_in(module, NULL) == 0 || functions == NULL || facet_vendor.cuModuleGetFunctionCount(&all, module) != CUDA_SUCCESS)
        return facet_vendor.cuModuleEnumerateFunctions(functions, count, module);
    CUfunction *found = calloc(all + 1u, sizeof *found);
    CUresult result = found == NULL ? CUDA_ERROR_OUT_OF_MEMORY : facet_vendor.cuModuleEnumerateFunctions(found, all, module);
    for (unsigned int i = 0; result == CUDA_SUCCESS && i < all && taken < count; i++) {
        const char *name = NULL;
        if (facet_vendor.cuFuncGetName(&name, found[i]) != CUDA_SUCCESS || !is_twin(module, NULL, name)) {
            functions[taken++] = found[i];
            met(found[i], module, NULL, name);
        }
    }
    free(found);
    return result;
}

CUresult facet_direct_cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library)
{
    unsigned int all = 0, taken = 0;
    if (twins_in(NULL, library) == 0 || kernels == NULL || facet_vendor.cuLibraryGetKernelCount(&all, library) != CUDA_SUCCESS)
        return facet_vendor.cuLibraryEnumerateKernels(kernels, count, library);
    CUkernel *found = calloc(all + 1u, sizeof *found);
    CUresult result = found == NULL ? CUDA_ERROR_OUT_OF_MEMORY : facet_vendor.cuLibraryEnumerateKernels(found, all, library);
    for (unsigned int i = 0; result == CUDA_SUCCESS && i < all && taken < count; i++) {
        const char *name = NULL;
        if (facet_vendor.cuKernelGetName(&name, found[i]) != CUDA_SUCCESS || !is_twin(NULL, library, name)) {
            kernels[taken++] = found[i];
            met((CUfunction)found[i], NULL, library, name);
        }
    }
    free(found);
    return result;
}
