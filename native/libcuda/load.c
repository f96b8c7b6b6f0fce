/* Loading a module: the image goes to the host through memory of the context, and so does the answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cubin.h"
#include "memory.h"
#include "module.h"
#include "owner.h"

enum { ALIGNMENT = 256, LEAST_ANSWER = 64 << 10 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* One request. *answer_bytes is more than capacity when it must be made again with that much. */
static CUresult request(struct facet_module *module, const struct facet_image *image, uint64_t capacity, uint64_t *answer_bytes)
{
    struct facet_context *context = module->object.context;
    uint64_t place = 0;
    uint64_t behind = (image->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    CUresult result = facet_memory_take(context, behind + capacity, FACET_MEMORY_STAGING, &place);
    if (result != CUDA_SUCCESS)
        return result;
    void *answer = (void *)(uintptr_t)(place + behind);
    memcpy((void *)(uintptr_t)place, image->data, image->bytes);
    memset(answer, 0, sizeof(struct facet_module_answer));
    *answer_bytes = 0;
    result = facet_wait_module_load(context->object.id, place, image->bytes, place + behind, capacity, module->object.id, 0, answer_bytes);
    if (result != CUDA_SUCCESS || *answer_bytes <= capacity) {
        CUresult read = facet_answer_read(answer, capacity, module);
        if (read == CUDA_SUCCESS)
            facet_memory_variables(module);
        if (result == CUDA_SUCCESS && read != CUDA_SUCCESS) {
            facet_post_module_unload(context->object.id, module->object.id);
            result = read;
        }
    }
    CUresult given = facet_memory_give(context, place);
    return result != CUDA_SUCCESS ? result : given;
}

static CUresult load(struct facet_module *module, const struct facet_image *image)
{
    uint64_t capacity = LEAST_ANSWER + image->bytes / 8;
    for (;;) {
        uint64_t needed = 0;
        CUresult result = request(module, image, capacity, &needed);
        if (result != CUDA_SUCCESS || needed <= capacity)
            return result;
        capacity = needed;
    }
}

/* A program that gave no buffer for the log would never know why. What is right and not supported is told in any case: many
 * programs keep the log to themselves, or go on as if nothing were. */
static void tell(const struct facet_jit *jit, CUresult result, const char *log, const void *image)
{
    static const char lacking[] = "not supported: "; /* how the host's log begins then */
    if (result == CUDA_SUCCESS || log == NULL || log[0] == '\0')
        return;
    int length = (int)strcspn(log, "\n");
    char owner[FACET_OWNER_BYTES];
    bool owned = facet_owner_of(image, owner);
    if (strncmp(log, lacking, sizeof lacking - 1) == 0 || (owned && result == CUDA_ERROR_NO_BINARY_FOR_GPU))
        facet_say_unsupported("%s%scode refused: %.*s", owned ? owner : "", owned ? ": " : "", length, log);
    else if (jit->error == NULL)
        facet_say("code refused: %.*s", length, log);
}

CUresult facet_image_refuse(enum facet_image_problem problem, const void *image, size_t bytes, const struct facet_jit *jit)
{
    char kernel[128], line[sizeof kernel + 160];
    const char *text = "not PTX, not a fat binary";
    CUresult result = CUDA_ERROR_INVALID_IMAGE;
    if (problem == FACET_IMAGE_IS_CUBIN) {
        facet_cubin_kernel(image, bytes, kernel, sizeof kernel);
        snprintf(line, sizeof line, "machine code%s%s without its PTX: Facet runs PTX; compile it with -gencode arch=compute_75,code=compute_75",
                 *kernel == 0 ? "" : " of kernel ", kernel);
        text = line;
        result = CUDA_ERROR_NO_BINARY_FOR_GPU;
        facet_say("%s", text);
    } else if (problem == FACET_IMAGE_NO_MEMORY) {
        text = "out of memory";
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    facet_jit_write(jit, result, text, 0);
    return result;
}

CUresult facet_module_load_with(struct facet_context *context, const void *image, size_t bytes, const struct facet_jit *jit,
                                struct facet_module **loaded)
{
    double start = milliseconds();
    struct facet_image opened;
    enum facet_image_problem problem = facet_image_open(image, bytes, &opened);
    if (problem != FACET_IMAGE_FINE)
        return facet_image_refuse(problem, image, bytes, jit);
    struct facet_module *module = facet_object_create(FACET_MODULE, context);
    CUresult result = module == NULL ? CUDA_ERROR_OUT_OF_MEMORY : load(module, &opened);
    if (result == CUDA_SUCCESS)
        facet_answer_limit(module, facet_fewer_registers(jit->registers, facet_link_registers(&opened)));
    free(opened.owned);
    if (module == NULL)
        return result;
    facet_jit_write(jit, result, module->log, milliseconds() - start);
    tell(jit, result, module->log, image);
    if (result != CUDA_SUCCESS) {
        facet_module_forget(module);
        return result;
    }
    *loaded = module;
    return CUDA_SUCCESS;
}

CUresult facet_module_load(struct facet_context *context, const void *image, size_t bytes, struct facet_module **module)
{
    struct facet_jit jit;
    facet_jit_read(0, NULL, NULL, &jit);
    return facet_module_load_with(context, image, bytes, &jit, module);
}
