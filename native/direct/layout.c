#include "layout.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "slice.h"
#include "vendor.h"
#include "work.h"

typedef CUresult requirements_call(CUDA_ARRAY_MEMORY_REQUIREMENTS *found, void *array, CUdevice device);

/* Until a driver says that it does not. */
static _Atomic bool silent;

static size_t told(CUresult answer, const CUDA_ARRAY_MEMORY_REQUIREMENTS *found)
{
    if (answer == CUDA_ERROR_NOT_SUPPORTED)
        atomic_store(&silent, true);
    return answer == CUDA_SUCCESS ? found->size : 0;
}

/* A driver tells it of arrays to which memory is mapped later, and of no others: so one is made that never gets any. */
uint64_t facet_layout_bytes(const CUDA_ARRAY3D_DESCRIPTOR *wanted, unsigned int levels, uint64_t least)
{
    requirements_call *ask =
        (requirements_call *)(uintptr_t)facet_vendor_function(levels > 0 ? "cuMipmappedArrayGetMemoryRequirements" : "cuArrayGetMemoryRequirements");
    CUDA_ARRAY3D_DESCRIPTOR twin = *wanted;
    CUDA_ARRAY_MEMORY_REQUIREMENTS found = {0};
    struct facet_where where;
    CUmipmappedArray mipmap;
    CUarray array;
    twin.Flags |= CUDA_ARRAY3D_DEFERRED_MAPPING;
    if (ask == NULL || least == 0 || atomic_load(&silent) || facet_where(&where) != CUDA_SUCCESS || facet_slice_hopeless(where.device, least))
        return least;
    if (levels > 0 && facet_vendor.cuMipmappedArrayCreate(&mipmap, &twin, levels) == CUDA_SUCCESS) {
        found.size = told(ask(&found, mipmap, where.vendor), &found);
        facet_vendor.cuMipmappedArrayDestroy(mipmap);
    } else if (levels == 0 && facet_vendor.cuArray3DCreate_v2(&array, &twin) == CUDA_SUCCESS) {
        found.size = told(ask(&found, array, where.vendor), &found);
        facet_vendor.cuArrayDestroy(array);
    }
    return found.size > least ? facet_slice_rounded(found.size) : least;
}
