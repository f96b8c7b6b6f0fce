/* Code: what it takes of the device only the driver knows, and NVML tells it afterwards. */
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

/* Stacks, the heap of kernels, the buffer of printf. */
CUresult facet_direct_cuCtxSetLimit(CUlimit limit, size_t value)
{
    return look(facet_vendor.cuCtxSetLimit(limit, value));
}
