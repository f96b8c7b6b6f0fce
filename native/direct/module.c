/* Code: what it takes of the device only the driver knows, and NVML tells it afterwards. */
#include <stdint.h>
#include <string.h>

#include "books.h"
#include "overhead.h"
#include "slice.h"
#include "twins.h"
#include "vendor.h"
#include "whole.h"
#include "work.h"

/* Behind a call that may have taken memory. True: it fits. */
static CUresult fits(CUresult result)
{
    struct facet_where where;
    if (result != CUDA_SUCCESS || facet_where(&where) != CUDA_SUCCESS)
        return result;
    return facet_overhead_settle(where.device, true);
}

/* Behind one that cannot be undone, or gave memory back. */
static CUresult look(CUresult result)
{
    struct facet_where where;
    if (result == CUDA_SUCCESS && facet_where(&where) == CUDA_SUCCESS)
        facet_overhead_settle(where.device, false);
    return result;
}

static CUresult kept(CUresult loaded, CUmodule *module)
{
    CUresult result = fits(loaded);
    if (loaded == CUDA_SUCCESS && result != CUDA_SUCCESS) {
        look(facet_vendor.cuModuleUnload(*module));
        *module = NULL;
    }
    return result;
}

static CUresult kept_library(CUresult loaded, CUlibrary *library)
{
    CUresult result = fits(loaded);
    if (loaded == CUDA_SUCCESS && result != CUDA_SUCCESS) {
        look(facet_vendor.cuLibraryUnload(*library));
        *library = NULL;
    }
    return result;
}

CUresult facet_direct_cuModuleLoad(CUmodule *module, const char *file)
{
    facet_whole_tell(FACET_WHOLE_FILE);
    return kept(facet_vendor.cuModuleLoad(module, file), module);
}

enum { MOST_OPTIONS = 64 };

/* What options say is changed by a call: sizes of logs become what was written. Before a second call they are to be what they were. */
struct options_kept {
    void *values[MOST_OPTIONS];
    unsigned int count;
};

static void keep_options(struct options_kept *kept, void **values, unsigned int count)
{
    kept->count = values == NULL ? 0 : count < MOST_OPTIONS ? count : MOST_OPTIONS;
    if (kept->count > 0)
        memcpy(kept->values, values, kept->count * sizeof *values);
}

static void restore_options(const struct options_kept *kept, void **values)
{
    if (kept->count > 0)
        memcpy(values, kept->values, kept->count * sizeof *values);
}

/* How an image is loaded that the program has in memory. */
struct loading {
    unsigned int count;
    CUjit_option *options;
    void **values;
    CUresult (*call)(CUmodule *module, const void *image); /* NULL: with options */
};

static CUresult load_image(CUmodule *module, const void *image, const struct loading *how)
{
    return how->call != NULL ? how->call(module, image) : facet_vendor.cuModuleLoadDataEx(module, image, how->count, how->options, how->values);
}

/* With kernels in ranges beside those of the program, where that can be. What is said of code that the driver refuses is about the program's own. */
static CUresult load(CUmodule *module, const void *image, const struct loading *how)
{
    const char *text;
    struct facet_code *code = facet_rewrite(image, &text);
    struct options_kept options;
    keep_options(&options, how->values, how->count);
    if (code != NULL && facet_vendor.cuModuleLoadDataEx(module, text, how->count, how->options, how->values) != CUDA_SUCCESS) {
        facet_twins_discard(code);
        code = NULL;
        facet_whole_tell(FACET_WHOLE_REFUSED);
        restore_options(&options, how->values);
    }
    CUresult result = kept(code != NULL ? CUDA_SUCCESS : load_image(module, image, how), module);
    if (result == CUDA_SUCCESS)
        facet_twins_loaded(*module, NULL, code);
    else if (code != NULL)
        facet_twins_discard(code);
    return result;
}

CUresult facet_direct_cuModuleLoadData(CUmodule *module, const void *image)
{
    return load(module, image, &(struct loading){.call = facet_vendor.cuModuleLoadData});
}

CUresult facet_direct_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    return load(module, image, &(struct loading){.count = count, .options = options, .values = values});
}

CUresult facet_direct_cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return load(module, image, &(struct loading){.call = facet_vendor.cuModuleLoadFatBinary});
}

CUresult facet_direct_cuModuleUnload(CUmodule module)
{
    facet_twins_unloaded(module, NULL);
    return look(facet_vendor.cuModuleUnload(module));
}

CUresult facet_direct_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values, unsigned int count,
                                        CUlibraryOption *library_options, void **library_values, unsigned int library_count)
{
    const char *text;
    struct facet_code *twins = facet_rewrite(code, &text);
    struct options_kept kept_options;
    keep_options(&kept_options, values, count);
    if (twins != NULL &&
        facet_vendor.cuLibraryLoadData(library, text, options, values, count, library_options, library_values, library_count) != CUDA_SUCCESS) {
        facet_twins_discard(twins);
        twins = NULL;
        facet_whole_tell(FACET_WHOLE_REFUSED);
        restore_options(&kept_options, values);
    }
    CUresult result = twins != NULL
                          ? CUDA_SUCCESS
                          : facet_vendor.cuLibraryLoadData(library, code, options, values, count, library_options, library_values, library_count);
    result = kept_library(result, library);
    if (result == CUDA_SUCCESS)
        facet_twins_loaded(NULL, *library, twins);
    else if (twins != NULL)
        facet_twins_discard(twins);
    return result;
}

CUresult facet_direct_cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options, void **values, unsigned int count,
                                            CUlibraryOption *library_options, void **library_values, unsigned int library_count)
{
    facet_whole_tell(FACET_WHOLE_FILE);
    return kept_library(facet_vendor.cuLibraryLoadFromFile(library, file, options, values, count, library_options, library_values, library_count),
                        library);
}

CUresult facet_direct_cuLibraryUnload(CUlibrary library)
{
    facet_twins_unloaded(NULL, library);
    return look(facet_vendor.cuLibraryUnload(library));
}

CUresult facet_direct_cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    return look(facet_vendor.cuLibraryGetModule(module, library));
}

CUresult facet_direct_cuFuncLoad(CUfunction function)
{
    return look(facet_vendor.cuFuncLoad(function));
}

/* Kernels take of it without a call: it is charged as a whole when its size is said, and ends with its context. */
static CUresult set_heap(size_t value)
{
    struct facet_where where;
    if (facet_where(&where) != CUDA_SUCCESS)
        return facet_vendor.cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, value);
    struct facet_booked old = {0}, heap = {.key = (uint64_t)(uintptr_t)where.context,
                                           .kind = FACET_BOOKED_HEAP,
                                           .device = where.device,
                                           .bytes = facet_slice_rounded(value),
                                           .context = where.context};
    bool had = facet_book_remove(FACET_BOOKED_HEAP, heap.key, &old);
    uint64_t more = heap.bytes > old.bytes ? heap.bytes - old.bytes : 0;
    CUresult result = facet_slice_take(where.device, more);
    if (result == CUDA_SUCCESS) {
        result = facet_vendor.cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, value);
        uint64_t rest = result != CUDA_SUCCESS ? more : old.bytes > heap.bytes ? old.bytes - heap.bytes : 0;
        facet_slice_give(where.device, rest);
    }
    if (result == CUDA_SUCCESS || had)
        facet_book(result == CUDA_SUCCESS ? &heap : &old);
    return look(result);
}

/* Stacks, the heap of kernels, the buffer of printf. */
CUresult facet_direct_cuCtxSetLimit(CUlimit limit, size_t value)
{
    return limit == CU_LIMIT_MALLOC_HEAP_SIZE ? set_heap(value) : look(facet_vendor.cuCtxSetLimit(limit, value));
}
