/* Libraries: code that is loaded into a context when it is first used there. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

/* Held while a library changes, even while a module is loaded: who else needs it must wait for that
 * anyway. Taken before a context's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult module_with(struct facet_library *library, struct facet_context *context, const struct facet_jit *jit, struct facet_module **module)
{
    struct facet_module **place = &library->modules[context->object.id];
    pthread_mutex_lock(&lock);
    CUresult result = CUDA_SUCCESS;
    if (*place == NULL) {
        struct facet_module *loaded;
        result = facet_module_load_with(context, library->image, library->bytes, jit, &loaded);
        if (result == CUDA_SUCCESS) {
            loaded->owner = library;
            *place = loaded;
        }
    }
    *module = *place;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult facet_library_module(struct facet_library *library, struct facet_context *context, struct facet_module **module)
{
    struct facet_jit jit;
    facet_jit_read(0, NULL, NULL, &jit);
    return module_with(library, context, &jit, module);
}

/* Without a current context the primary one of the first device is kept for the library. */
static CUresult some_context(struct facet_library *library, struct facet_context **context)
{
    CUresult result = facet_context_current(context);
    if (result != CUDA_ERROR_INVALID_CONTEXT)
        return result;
    CUcontext primary;
    result = facet_cuDevicePrimaryCtxRetain(&primary, 0);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    bool held = library->borrowed != 0;
    library->borrowed = 1;
    pthread_mutex_unlock(&lock);
    if (held)
        facet_cuDevicePrimaryCtxRelease_v2(0);
    *context = facet_object(primary, FACET_CONTEXT);
    return *context == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult facet_library_any_module(struct facet_library *library, struct facet_module **module)
{
    *module = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < FACET_CONTEXTS && *module == NULL; i++)
        *module = library->modules[i];
    pthread_mutex_unlock(&lock);
    if (*module != NULL)
        return CUDA_SUCCESS;
    struct facet_context *context;
    CUresult result = some_context(library, &context);
    return result != CUDA_SUCCESS ? result : facet_library_module(library, context, module);
}

CUresult facet_library_kernel(struct facet_library *library, const struct facet_module *module, uint32_t index, struct facet_kernel **kernel)
{
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    if (library->kernels == NULL && (library->kernels = calloc(module->function_count + 1u, sizeof *library->kernels)) != NULL)
        library->kernel_count = module->function_count;
    if (library->kernels != NULL && index < library->kernel_count) {
        struct facet_kernel *found = library->kernels[index];
        if (found == NULL && (found = facet_object_create(FACET_KERNEL, NULL)) != NULL) {
            found->library = library;
            found->index = index;
            found->max_dynamic_shared = -1;
            found->preferred_carveout = -1;
            found->name = strdup(module->names + module->functions[index].name);
            if (found->name == NULL) {
                facet_object_destroy(found);
                found = NULL;
            }
        }
        library->kernels[index] = found;
        *kernel = found;
        result = found == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static void forget_in(void *object, void *data)
{
    struct facet_library *library = object;
    uint32_t context = *(uint32_t *)data;
    library->modules[context] = NULL;
    for (uint32_t i = 0; i < library->kernel_count; i++)
        if (library->kernels[i] != NULL)
            atomic_store(&library->kernels[i]->functions[context], NULL);
}

void facet_libraries_forget(struct facet_context *context)
{
    uint32_t id = context->object.id;
    pthread_mutex_lock(&lock);
    facet_object_each(FACET_LIBRARY, NULL, forget_in, &id);
    pthread_mutex_unlock(&lock);
}

static CUresult keep_image(struct facet_library *library, const void *code, size_t bytes, bool preserved, const struct facet_jit *jit)
{
    struct facet_image opened;
    enum facet_image_problem problem = facet_image_open(code, bytes, &opened);
    if (problem != FACET_IMAGE_FINE)
        return facet_image_refuse(problem, code, bytes, jit);
    library->copy = opened.owned;
    library->bytes = opened.bytes;
    if (opened.owned == NULL && !preserved) {
        library->copy = malloc(opened.bytes);
        if (library->copy == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(library->copy, opened.data, opened.bytes);
    }
    library->image = library->copy != NULL ? library->copy : opened.data;
    return CUDA_SUCCESS;
}

static CUresult load(CUlibrary *handle, const void *code, size_t bytes, bool preserved, const struct facet_jit *jit)
{
    struct facet_library *library = facet_object_create(FACET_LIBRARY, NULL);
    if (library == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = keep_image(library, code, bytes, preserved, jit);
    /* Where there is a context to try it in, wrong code is told now and its log goes where it should. */
    struct facet_context *context;
    struct facet_module *module;
    if (result == CUDA_SUCCESS && facet_context_current(&context) == CUDA_SUCCESS)
        result = module_with(library, context, jit, &module);
    if (result != CUDA_SUCCESS) {
        free(library->copy);
        facet_object_destroy(library);
        return result;
    }
    *handle = (CUlibrary)library;
    return CUDA_SUCCESS;
}

static CUresult check_options(unsigned count, const CUlibraryOption *options, void **values, bool *preserved)
{
    *preserved = false;
    if (count != 0 && options == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if ((int)options[i] == CU_LIBRARY_BINARY_IS_PRESERVED)
            *preserved = values == NULL || values[i] != NULL;
        else if ((int)options[i] != CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult facet_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options, void **jit_values, unsigned int jit_count,
                                 CUlibraryOption *options, void **values, unsigned int count)
{
    struct facet_jit jit;
    bool preserved;
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        result = facet_jit_read(jit_count, jit_options, jit_values, &jit);
    if (result == CUDA_SUCCESS)
        result = check_options(count, options, values, &preserved);
    if (result != CUDA_SUCCESS)
        return result;
    return library == NULL || code == NULL ? CUDA_ERROR_INVALID_VALUE : load(library, code, 0, preserved, &jit);
}

CUresult facet_cuLibraryLoadFromFile(CUlibrary *library, const char *name, CUjit_option *jit_options, void **jit_values, unsigned int jit_count,
                                     CUlibraryOption *options, void **values, unsigned int count)
{
    struct facet_jit jit;
    bool preserved;
    CUresult result = facet_session_check();
    if (result == CUDA_SUCCESS)
        result = facet_jit_read(jit_count, jit_options, jit_values, &jit);
    if (result == CUDA_SUCCESS)
        result = check_options(count, options, values, &preserved);
    if (result != CUDA_SUCCESS)
        return result;
    if (library == NULL || name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    void *code;
    size_t bytes;
    result = facet_file_read(name, &code, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_image_kind(code) == FACET_IMAGE_WRAPPER ? CUDA_ERROR_INVALID_IMAGE : load(library, code, bytes, false, &jit);
    free(code);
    return result;
}

CUresult facet_cuLibraryUnload(CUlibrary handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct facet_library *library = facet_object(handle, FACET_LIBRARY);
    if (library == NULL) {
        pthread_mutex_unlock(&lock);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    for (uint32_t i = 0; i < library->kernel_count; i++)
        if (library->kernels[i] != NULL) {
            free(library->kernels[i]->name);
            facet_object_destroy(library->kernels[i]);
        }
    for (int i = 0; i < FACET_CONTEXTS; i++)
        if (library->modules[i] != NULL)
            facet_module_drop(library->modules[i]);
    free(library->kernels);
    free(library->copy);
    bool borrowed = library->borrowed != 0;
    facet_object_destroy(library);
    pthread_mutex_unlock(&lock);
    if (borrowed)
        facet_cuDevicePrimaryCtxRelease_v2(0);
    return CUDA_SUCCESS;
}
