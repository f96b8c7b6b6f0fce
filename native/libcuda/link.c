/* Linking. Inputs are collected; cuLinkComplete makes one image of them, which the host links when it is
 * loaded. It is loaded once right away, so that errors come when the program expects them. */
#include "link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

struct facet_link_input {
    struct facet_link_input *next; /* the one before */
    size_t bytes;
    bool container;
    char data[];
};

static CUresult refuse(const struct facet_link *link, CUresult result, const char *name, const char *why)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s", name != NULL ? name : "input", why);
    if (link->jit->error != NULL)
        facet_jit_write(link->jit, result, text, 0);
    else
        facet_say("link: %s", text);
    return result;
}

static CUresult link_of(CUlinkState handle, struct facet_link **link)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    *link = facet_object(handle, FACET_LINK);
    return *link == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

CUresult facet_cuLinkCreate_v2(unsigned int count, CUjit_option *options, void **values, CUlinkState *handle)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    struct facet_jit jit;
    if (result == CUDA_SUCCESS)
        result = facet_jit_read(count, options, values, &jit);
    if (result != CUDA_SUCCESS)
        return result;
    if (handle == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_jit *copy = malloc(sizeof *copy);
    struct facet_link *link = copy == NULL ? NULL : facet_object_create(FACET_LINK, context);
    if (link == NULL) {
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *copy = jit;
    link->jit = copy;
    *handle = (CUlinkState)link;
    return CUDA_SUCCESS;
}

static CUresult keep(struct facet_link *link, const void *data, size_t bytes, bool container)
{
    size_t end = container ? 0 : 1; /* PTX gets its 0 */
    struct facet_link_input *input = malloc(sizeof *input + bytes + end);
    if (input == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(input->data, data, bytes);
    if (!container)
        input->data[bytes] = '\0';
    input->bytes = bytes + end;
    input->container = container;
    input->next = link->inputs;
    link->inputs = input;
    return CUDA_SUCCESS;
}

/* Object files and archives carry their device code as containers in sections of their own. Which one of
 * them is needed the host finds out. */
static CUresult add_from_host_code(struct facet_link *link, const void *data, size_t bytes, const char *name)
{
    size_t from = 0;
    size_t found = 0;
    struct facet_image container;
    while (facet_image_next(data, bytes, &from, &container)) {
        CUresult result = keep(link, container.data, container.bytes, true);
        if (result != CUDA_SUCCESS)
            return result;
        found++;
    }
    return found > 0 ? CUDA_SUCCESS : refuse(link, CUDA_ERROR_NO_BINARY_FOR_GPU, name, "no device code in it");
}

static CUresult add(struct facet_link *link, CUjitInputType type, const void *data, size_t bytes, const char *name)
{
    if (link->image != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    switch ((int)type) {
    case CU_JIT_INPUT_CUBIN: /* with what it was made from */
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_FATBINARY: {
        struct facet_image opened;
        enum facet_image_problem problem = facet_image_open(data, bytes, &opened);
        if (problem == FACET_IMAGE_IS_CUBIN)
            break;
        if (problem != FACET_IMAGE_FINE)
            return refuse(link, CUDA_ERROR_INVALID_IMAGE, name, "neither PTX nor a fat binary");
        bool container = facet_image_kind(opened.data) == FACET_IMAGE_CONTAINER;
        size_t used = container ? opened.bytes : strnlen(opened.data, opened.bytes);
        CUresult result = keep(link, opened.data, used, container);
        free(opened.owned);
        return result;
    }
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
        return add_from_host_code(link, data, bytes, name);
    case CU_JIT_INPUT_NVVM:
        return refuse(link, CUDA_ERROR_NOT_SUPPORTED, name, "NVVM code cannot be linked: compile it to PTX");
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return refuse(link, CUDA_ERROR_NO_BINARY_FOR_GPU, name,
                  "machine code without its PTX: Facet runs PTX; compile it with -gencode arch=compute_75,code=compute_75");
}

CUresult facet_cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int count,
                                CUjit_option *options, void **values)
{
    struct facet_link *link;
    CUresult result = link_of(handle, &link);
    struct facet_jit ignored; /* only options that concern machine code may be given here */
    if (result == CUDA_SUCCESS)
        result = facet_jit_read(count, options, values, &ignored);
    if (result != CUDA_SUCCESS)
        return result;
    return data == NULL || bytes == 0 ? CUDA_ERROR_INVALID_VALUE : add(link, type, data, bytes, name);
}

CUresult facet_cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char *path, unsigned int count, CUjit_option *options, void **values)
{
    struct facet_link *link;
    CUresult result = link_of(handle, &link);
    struct facet_jit ignored;
    if (result == CUDA_SUCCESS)
        result = facet_jit_read(count, options, values, &ignored);
    if (result != CUDA_SUCCESS)
        return result;
    if (path == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    void *data;
    size_t bytes;
    result = facet_file_read(path, &data, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_image_kind(data) == FACET_IMAGE_WRAPPER ? CUDA_ERROR_INVALID_IMAGE : add(link, type, data, bytes, path);
    free(data);
    return result;
}

/* The only input, or a link set. */
static void *make_image(const struct facet_link *link, size_t *bytes)
{
    size_t count = 0;
    for (const struct facet_link_input *each = link->inputs; each != NULL; each = each->next)
        count++;
    if (count == 1 && link->jit->registers == 0) {
        void *copy = malloc(link->inputs->bytes);
        if (copy != NULL)
            memcpy(copy, link->inputs->data, link->inputs->bytes);
        *bytes = link->inputs->bytes;
        return copy;
    }
    struct facet_link_part *parts = calloc(count, sizeof *parts);
    if (parts == NULL)
        return NULL;
    size_t left = count;
    for (const struct facet_link_input *each = link->inputs; each != NULL; each = each->next)
        parts[--left] = (struct facet_link_part){each->data, each->bytes, each->container};
    void *image = facet_link_set(parts, count, link->jit->registers, bytes);
    free(parts);
    return image;
}

static CUresult try_out(const struct facet_link *link, const void *image, size_t bytes)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    struct facet_module *module;
    if (result == CUDA_SUCCESS)
        result = facet_module_load_with(context, image, bytes, link->jit, &module);
    return result != CUDA_SUCCESS ? result : facet_module_drop(module);
}

CUresult facet_cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
    struct facet_link *link;
    CUresult result = link_of(handle, &link);
    if (result != CUDA_SUCCESS)
        return result;
    if (image == NULL || link->inputs == NULL || link->image != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    size_t made_bytes = 0;
    void *made = make_image(link, &made_bytes);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = try_out(link, made, made_bytes);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    link->image = made;
    *image = made;
    if (bytes != NULL)
        *bytes = made_bytes;
    return CUDA_SUCCESS;
}

CUresult facet_cuLinkDestroy(CUlinkState handle)
{
    struct facet_link *link;
    CUresult result = link_of(handle, &link);
    if (result != CUDA_SUCCESS)
        return result;
    while (link->inputs != NULL) {
        struct facet_link_input *input = link->inputs;
        link->inputs = input->next;
        free(input);
    }
    free(link->image);
    free(link->jit);
    facet_object_destroy(link);
    return CUDA_SUCCESS;
}
