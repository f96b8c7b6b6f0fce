/* Memory that comes with code: variables of modules, and the heap of kernels. */
#include <unistd.h>

#include "escape.h"

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

#define MIB ((size_t)1 << 20)
enum { MODULE_BYTES = 4 << 20, BLOCKS = 4096 };

/* PTX with one variable. Every text is another one, so that nothing is shared. */
static const char *text(const char *space, size_t bytes)
{
    static char ptx[1024];
    static int number;
    snprintf(ptx, sizeof ptx,
             ".version 7.5\n.target sm_75\n.address_size 64\n// %d of %d\n"
             ".visible .global %s .align 8 .b8 big[%zu];\n.visible .entry touch() { ret; }\n",
             number++, (int)getpid(), space, bytes);
    return ptx;
}

/* Modules and libraries have no addresses to give back by: all of them go with the first. */
static CUmodule loaded[1024];
static CUlibrary libraries[1024];
static int loaded_count, library_count;

static void unload_all(CUdeviceptr address)
{
    (void)address;
    while (loaded_count > 0)
        MUST(cuModuleUnload(loaded[--loaded_count]));
    while (library_count > 0)
        MUST(cuLibraryUnload(libraries[--library_count]));
    MUST(cuCtxSynchronize());
}

static int enter_variable(CUmodule module)
{
    loaded[loaded_count++] = module;
    CUdeviceptr address;
    size_t bytes;
    MUST(cuModuleGetGlobal(&address, &bytes, module, "big"));
    got_by(address, bytes, unload_all);
    return CUDA_SUCCESS;
}

static int load_data(size_t bytes)
{
    CUmodule module;
    CUresult result = cuModuleLoadData(&module, text("", bytes));
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int modules(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_data);
}

static int module_large(size_t want)
{
    return take_pieces(want, want, load_data);
}

/* The same text each time: each load has variables of its own. */
static const char *same;

static int load_again(size_t bytes)
{
    CUmodule module;
    (void)bytes;
    CUresult result = cuModuleLoadDataEx(&module, same, 0, NULL, NULL);
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int module_again(size_t want)
{
    same = text("", MODULE_BYTES);
    return take_pieces(want, MODULE_BYTES, load_again);
}

static int load_managed(size_t bytes)
{
    CUmodule module;
    CUresult result = cuModuleLoadData(&module, text(".attribute(.managed)", bytes));
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int module_managed(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_managed);
}

static const char *written(size_t bytes)
{
    static char name[64];
    snprintf(name, sizeof name, "/tmp/escape-%d.ptx", (int)getpid());
    FILE *file = fopen(name, "w");
    if (file == NULL || fputs(text("", bytes), file) < 0 || fclose(file) != 0)
        must(-1, name);
    return name;
}

static int load_file(size_t bytes)
{
    CUmodule module;
    const char *name = written(bytes);
    CUresult result = cuModuleLoad(&module, name);
    unlink(name);
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int module_file(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_file);
}

/* PTX, not compressed. */
void *fat_binary(const char *ptx)
{
    size_t length = strlen(ptx) + 1, padded = (length + 7) & ~(size_t)7;
    unsigned char *image = calloc(1, 16 + 80 + padded), *entry = image + 16;
    uint64_t size = 80 + padded, payload = padded, flags = 0x11;
    memcpy(image, "\x50\xed\x55\xba\x01\x00\x10\x00", 8);
    memcpy(image + 8, &size, 8);
    memcpy(entry, "\x01\x00\x01\x01\x50\x00\x00\x00", 8);
    memcpy(entry + 8, &payload, 8);
    memcpy(entry + 20, "\x40\x00\x00\x00", 4);
    memcpy(entry + 28, "\x4b\x00\x00\x00", 4);
    memcpy(entry + 40, &flags, 8);
    memcpy(entry + 80, ptx, length);
    return image;
}

static int load_container(size_t bytes)
{
    CUmodule module;
    void *image = fat_binary(text("", bytes));
    CUresult result = cuModuleLoadFatBinary(&module, image);
    free(image);
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int module_container(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_container);
}

static int load_linked(size_t bytes)
{
    CUlinkState state;
    CUmodule module;
    void *image;
    size_t length;
    char *copy = strdup(text("", bytes));
    MUST(cuLinkCreate(0, NULL, NULL, &state));
    MUST(cuLinkAddData(state, CU_JIT_INPUT_PTX, copy, strlen(copy) + 1, "big", 0, NULL, NULL));
    CUresult result = cuLinkComplete(state, &image, &length);
    if (result == CUDA_SUCCESS)
        result = cuModuleLoadData(&module, image);
    MUST(cuLinkDestroy(state));
    free(copy);
    return result == CUDA_SUCCESS ? enter_variable(module) : (int)result;
}

static int module_linked(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_linked);
}

/* A library is loaded into a context when something of it is first asked for. */
static int enter_library(CUlibrary library)
{
    CUdeviceptr address;
    size_t bytes;
    CUresult result = cuLibraryGetGlobal(&address, &bytes, library, "big");
    if (result == CUDA_SUCCESS) {
        libraries[library_count++] = library;
        got_by(address, bytes, unload_all);
    } else {
        cuLibraryUnload(library);
    }
    return result;
}

static int load_library(size_t bytes)
{
    CUlibrary library;
    CUresult result = cuLibraryLoadData(&library, text("", bytes), NULL, NULL, 0, NULL, NULL, 0);
    return result == CUDA_SUCCESS ? enter_library(library) : (int)result;
}

static int library(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_library);
}

static int load_library_file(size_t bytes)
{
    CUlibrary library;
    const char *name = written(bytes);
    CUresult result = cuLibraryLoadFromFile(&library, name, NULL, NULL, 0, NULL, NULL, 0);
    unlink(name);
    return result == CUDA_SUCCESS ? enter_library(library) : (int)result;
}

static int library_file(size_t want)
{
    return take_pieces(want, MODULE_BYTES, load_library_file);
}

/* ---- the heap of kernels */

static uint64_t *blocks; /* host memory that the kernel writes to */

/* The heap stays the context's. */
static void end_heap(CUdeviceptr address)
{
    (void)address;
    cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, MIB);
}

static int take_heap(size_t bytes)
{
    uint64_t size = bytes, most = BLOCKS, place = (uint64_t)(uintptr_t)blocks;
    MUST(cuLaunchKernel(kernel("take"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&size, &most, &place}, NULL));
    CUresult result = cuCtxSynchronize();
    if (result != CUDA_SUCCESS)
        return result;
    for (uint64_t i = 0; i < blocks[0]; i++)
        got_by(blocks[1 + i], bytes, end_heap);
    return blocks[0] == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static int heap_limit(size_t want)
{
    size_t limit = 2 * want;
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    for (; limit >= MIB && result != CUDA_SUCCESS; limit /= 2)
        result = cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, limit);
    return result;
}

static int take_heap_here(size_t want)
{
    MUST(cuMemHostAlloc((void **)&blocks, (BLOCKS + 1) * sizeof *blocks, CU_MEMHOSTALLOC_DEVICEMAP));
    int limited = heap_limit(want);
    if (limited != CUDA_SUCCESS)
        return limited;
    size_t before = held_bytes();
    while (held_bytes() < before + want && take_heap(256 << 10) == CUDA_SUCCESS) {
    }
    return held_bytes() < before + want ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* Heap first, then what is left as plain memory. */
static int heap(size_t want)
{
    int result = take_heap_here(want);
    return result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY ? result : take_pieces(want, MIB, take_plain);
}

/* Plain memory first: a heap that was promised must not come on top. */
static int heap_after(size_t want)
{
    int result = heap_limit(want);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    result = take_pieces(want, MIB, take_plain);
    if (result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    return take_heap_here(want);
}

static int heap_contexts(size_t want)
{
    CUcontext context;
    int result = CUDA_SUCCESS;
    for (int i = 0; i < 8; i++) {
        MUST(cuCtxCreate_v2(&context, 0, 0));
        result = take_heap_here(want / 8);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return result;
}

/* Stacks and the buffer of printf have limits of their own. */
static int limits_huge(size_t want)
{
    (void)want;
    const CUlimit limits[] = {CU_LIMIT_STACK_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        CUresult result = cuCtxSetLimit(limits[i], (size_t)1 << 40);
        if (result == CUDA_SUCCESS)
            return -1;
        if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static int module_huge(size_t want)
{
    const size_t sizes[] = {(size_t)1 << 40, ((size_t)1 << 62) + 8, SIZE_MAX - 7};
    (void)want;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CUmodule module;
        if (cuModuleLoadData(&module, text("", sizes[i])) == CUDA_SUCCESS)
            return -1;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

const struct way module_ways[] = {
    {.name = "module-variables", .kind = MEMORY, .take = modules, .calls = "cuModuleLoadData"},
    {.name = "module-large", .kind = MEMORY, .take = module_large, .calls = "cuModuleLoadData"},
    {.name = "module-huge", .kind = REFUSED, .take = module_huge, .calls = "cuModuleLoadData"},
    {.name = "module-again", .kind = MEMORY, .take = module_again, .calls = "cuModuleLoadDataEx"},
    {.name = "module-managed", .kind = MEMORY, .take = module_managed, .calls = "cuModuleLoadData"},
    {.name = "module-file", .kind = MEMORY, .take = module_file, .calls = "cuModuleLoad"},
    {.name = "module-container", .kind = MEMORY, .take = module_container, .calls = "cuModuleLoadFatBinary"},
    {.name = "module-linked", .kind = MEMORY, .take = module_linked, .calls = "cuLinkCreate cuLinkCreate_v2 cuLinkAddData cuLinkAddData_v2 cuLinkAddFile cuLinkAddFile_v2 cuLinkComplete"},
    {.name = "library", .kind = MEMORY, .take = library, .calls = "cuLibraryLoadData cuLibraryGetModule cuKernelGetFunction cuFuncLoad"},
    {.name = "library-file", .kind = MEMORY, .take = library_file, .calls = "cuLibraryLoadFromFile"},
    {.name = "heap", .kind = MEMORY, .take = heap, .calls = "cuCtxSetLimit"},
    {.name = "heap-after-plain", .kind = MEMORY, .take = heap_after, .calls = "cuCtxSetLimit"},
    {.name = "heap-contexts", .kind = MEMORY, .take = heap_contexts, .calls = "cuCtxSetLimit"},
    {.name = "limits-huge", .kind = REFUSED, .take = limits_huge, .calls = "cuCtxSetLimit"},
    {.name = NULL},
};
