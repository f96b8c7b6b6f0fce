/* Code: what it takes of the device only the driver knows, and NVML tells it afterwards. */
#include <stdint.h>

#include "books.h"
#include "overhead.h"
#include "slice.h"
#include "vendor.h"
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
    return kept(facet_vendor.cuModuleLoad(module, file), module);
}

CUresult facet_direct_cuModuleLoadData(CUmodule *module, const void *image)
{
    return kept(facet_vendor.cuModuleLoadData(module, image), module);
}

CUresult facet_direct_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    return kept(facet_vendor.cuModuleLoadDataEx(module, image, count, options, values), module);
}

CUresult facet_direct_cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return kept(facet_vendor.cuModuleLoadFatBinary(module, image), module);
}

CUresult facet_direct_cuModuleUnload(CUmodule module)
{
    return look(facet_vendor.cuModuleUnload(module));
}

CUresult facet_direct_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values, unsigned int count,
                                        CUlibraryOption *library_options, void **library_values, unsigned int library_count)
{
    return kept_library(facet_vendor.cuLibraryLoadData(library, code, options, values, count, library_options, library_values, library_count),
                        library);
}

CUresult facet_direct_cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options, void **values, unsigned int count,
                                            CUlibraryOption *library_options, void **library_values, unsigned int library_count)
{
    return kept_library(facet_vendor.cuLibraryLoadFromFile(library, file, options, values, count, library_options, library_values, library_count),
                        library);
}

CUresult facet_direct_cuLibraryUnload(CUlibrary library)
{
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
