/* Memory that comes with code: variables of modules. */
#include <unistd.h>

#include "escape.h"

enum { MODULE_BYTES = 4 << 20 };

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
    {.name = "module-linked",
     .kind = MEMORY,
     .take = module_linked,
     .calls = "cuLinkCreate cuLinkCreate_v2 cuLinkAddData cuLinkAddData_v2 cuLinkAddFile cuLinkAddFile_v2 cuLinkComplete"},
    {.name = "library", .kind = MEMORY, .take = library, .calls = "cuLibraryLoadData cuLibraryGetModule cuKernelGetFunction cuFuncLoad"},
    {.name = "library-file", .kind = MEMORY, .take = library_file, .calls = "cuLibraryLoadFromFile"},
    {.name = NULL},
};
