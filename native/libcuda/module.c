#include "module.h"

#include <stdlib.h>
#include <string.h>

/* Held while handles of functions are made or dropped; nothing is waited for under it. */
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;

struct facet_function *facet_module_function_at(struct facet_module *module, uint32_t index)
{
    pthread_mutex_lock(&handles_lock);
    struct facet_function *function = module->handles[index];
    if (function == NULL) {
        function = facet_object_create(FACET_FUNCTION, module->object.context);
        if (function != NULL) {
            const struct facet_function_record *record = &module->functions[index];
            const struct facet_device_record *device = facet_device(module->object.context->device);
            int most = device == NULL ? 0 : device->attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK];
            int left = most - (int)record->shared_bytes;
            function->module = module;
            function->index = index;
            function->record = record;
            function->parameters = module->parameters + record->first_parameter;
            function->max_dynamic_shared = left > 0 ? left : 0;
            function->preferred_carveout = -1;
            module->handles[index] = function;
        }
    }
    pthread_mutex_unlock(&handles_lock);
    return function;
}

struct facet_function *facet_module_function(struct facet_module *module, const char *name)
{
    int64_t index = facet_module_function_index(module, name);
    return index < 0 ? NULL : facet_module_function_at(module, (uint32_t)index);
}

/* Programs end while some of their threads still launch, and what unloads modules then runs beside them. They may
 * read what a module had a little longer. */
static void free_later(void *answer)
{
    static void *kept[8];
    static unsigned next;
    free(kept[next % 8]);
    kept[next++ % 8] = answer;
}

static void destroy_functions(struct facet_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        if (module->handles[i] != NULL) {
            facet_old_launch_forget(module->handles[i]);
            facet_object_destroy(module->handles[i]);
        }
        module->handles[i] = NULL;
    }
}

void facet_module_forget(struct facet_module *module)
{
    pthread_mutex_lock(&handles_lock);
    destroy_functions(module);
    free_later(module->answer);
    module->answer = NULL;
    facet_answer_free(module);
    facet_object_destroy(module);
    pthread_mutex_unlock(&handles_lock);
}

/* Kernels on their way may use it: the host keeps it until they have ended. */
CUresult facet_module_drop(struct facet_module *module)
{
    uint32_t context = module->object.context->object.id;
    bool variables = module->variable_count > 0;
    facet_texture_references_forget(module);
    pthread_mutex_lock(&handles_lock);
    struct facet_command_module_unload *command = facet_command_begin(context, FACET_COMMAND_MODULE_UNLOAD, sizeof *command, false);
    CUresult result = CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (command != NULL) {
        command->module = module->object.id;
        /* While nobody else can send: a launch looks at its function when it can. */
        destroy_functions(module);
        facet_command_post();
        result = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&handles_lock);
    facet_module_forget(module);
    /* Whoever looks now is to find the memory of its variables free, unless kernels still use it. */
    if (result == CUDA_SUCCESS && variables)
        facet_wait_claim(context, 0);
    return result;
}

CUresult facet_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_jit jit;
    result = facet_jit_read(count, options, values, &jit);
    if (result != CUDA_SUCCESS)
        return result;
    if (module == NULL || image == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_module *loaded;
    result = facet_module_load_with(context, image, 0, &jit, &loaded);
    if (result == CUDA_SUCCESS)
        *module = (CUmodule)loaded;
    return result;
}

CUresult facet_cuModuleLoadData(CUmodule *module, const void *image)
{
    return facet_cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult facet_cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return facet_cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult facet_cuModuleLoad(CUmodule *module, const char *name)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (module == NULL || name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    void *image;
    size_t bytes;
    result = facet_file_read(name, &image, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_module *loaded;
    result = facet_image_kind(image) == FACET_IMAGE_WRAPPER ? CUDA_ERROR_INVALID_IMAGE : facet_module_load(context, image, bytes, &loaded);
    free(image);
    if (result == CUDA_SUCCESS)
        *module = (CUmodule)loaded;
    return result;
}

CUresult facet_cuModuleUnload(CUmodule handle)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_module *module = facet_object(handle, FACET_MODULE);
    if (module == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    return module->owner != NULL ? CUDA_ERROR_NOT_PERMITTED : facet_module_drop(module);
}

/* The module, when its context can be used. */
static CUresult living(CUmodule handle, struct facet_module **module)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *module = facet_object(handle, FACET_MODULE);
    return *module == NULL ? CUDA_ERROR_INVALID_HANDLE : facet_context_fault((*module)->object.context);
}

CUresult facet_cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    struct facet_module *module;
    CUresult result = living(handle, &module);
    if (result != CUDA_SUCCESS)
        return result;
    if (function == NULL || name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    int64_t index = facet_module_function_index(module, name);
    if (index < 0)
        return CUDA_ERROR_NOT_FOUND;
    struct facet_function *found = facet_module_function_at(module, (uint32_t)index);
    if (found == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *function = (CUfunction)found;
    return CUDA_SUCCESS;
}

CUresult facet_cuModuleGetFunctionCount(unsigned int *count, CUmodule handle)
{
    struct facet_module *module;
    CUresult result = living(handle, &module);
    if (result != CUDA_SUCCESS)
        return result;
    if (count == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *count = module->function_count;
    return CUDA_SUCCESS;
}

CUresult facet_cuModuleEnumerateFunctions(CUfunction *functions, unsigned int capacity, CUmodule handle)
{
    struct facet_module *module;
    CUresult result = living(handle, &module);
    if (result != CUDA_SUCCESS)
        return result;
    if (functions == NULL || capacity == 0)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < module->function_count && i < capacity; i++) {
        struct facet_function *function = facet_module_function_at(module, i);
        if (function == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        functions[i] = (CUfunction)function;
    }
    return CUDA_SUCCESS;
}

CUresult facet_cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule handle, const char *name)
{
    struct facet_module *module;
    CUresult result = living(handle, &module);
    if (result != CUDA_SUCCESS)
        return result;
    if (name == NULL || (address == NULL && bytes == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    const struct facet_variable_record *variable = facet_module_variable(module, name);
    if (variable == NULL)
        return CUDA_ERROR_NOT_FOUND;
    if (address != NULL)
        *address = (CUdeviceptr)variable->address;
    if (bytes != NULL)
        *bytes = variable->bytes;
    return CUDA_SUCCESS;
}

/* A module is there as a whole once it is loaded. */
CUresult facet_cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    if (mode == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}
