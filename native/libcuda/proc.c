/* cuGetProcAddress: functions by name and version. */
#include <string.h>

#include "client.h"
#include "export.h"
#include "owner.h"

enum { FLAGS = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

/* The first entry of a name in the sorted table, or where it would be. */
static size_t first_of(const char *name)
{
    size_t low = 0;
    size_t high = facet_cuda_proc_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(facet_cuda_procs[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct choice {
    const struct facet_cuda_proc *proc;
    bool known; /* there is the name, if only for other versions */
};

static struct choice choose(const char *name, int version, bool per_thread)
{
    struct choice choice = {NULL, false};
    for (size_t i = first_of(name); i < facet_cuda_proc_count && strcmp(facet_cuda_procs[i].name, name) == 0; i++) {
        const struct facet_cuda_proc *proc = &facet_cuda_procs[i];
        choice.known = true;
        if (proc->since > version || (proc->per_thread && !per_thread))
            continue;
        /* Later ones are newer; a variant for threads is not given up for a plain one. */
        bool better = choice.proc == NULL || proc->per_thread || !choice.proc->per_thread;
        if (better)
            choice.proc = proc;
    }
    return choice;
}

/* Programs also ask for a symbol as it is exported, with its number and variant. */
static const struct facet_cuda_proc *exact(const char *symbol)
{
    for (size_t i = 0; i < facet_cuda_proc_count; i++)
        if (strcmp(facet_cuda_procs[i].symbol, symbol) == 0)
            return &facet_cuda_procs[i];
    return NULL;
}

CUresult facet_cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    if (symbol == NULL || symbol[0] == '\0' || (flags & ~(cuuint64_t)FLAGS) != 0 || flags == FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    struct choice choice = choose(symbol, version, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
    if (choice.proc == NULL && !choice.known)
        choice.proc = exact(symbol);
    *function = NULL;
    if (choice.proc != NULL)
        memcpy(function, &choice.proc->function, sizeof *function);
    if (status != NULL)
        *status = choice.proc != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                  : choice.known      ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                      : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return choice.proc != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult facet_cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return facet_cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

/* The vendor's tables behind this call are its own agreement with itself; we are not part of it. There is
 * one of ours. */
CUresult facet_cuGetExportTable(const void **table, const CUuuid *id)
{
    static const struct facet_export exported = {sizeof exported, facet_unsupported};
    bool ours = id != NULL && memcmp(id, FACET_EXPORT_ID, sizeof *id) == 0;
    *table = ours ? &exported : NULL;
    if (!ours)
        facet_owner_of_runtime_tell();
    return ours ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
