/* What the runtime does not have. */
#include <string.h>

#include "export.h"
#include "runtime.h"

static const struct facet_export *exported;

static void find(void)
{
    CUuuid id;
    const void *table = NULL;
    memcpy(&id, FACET_EXPORT_ID, sizeof id);
    if (cuGetExportTable(&table, &id) == CUDA_SUCCESS)
        exported = table;
}

cudaError_t facet_cudart_unsupported(const char *name)
{
    static pthread_once_t found = PTHREAD_ONCE_INIT;
    pthread_once(&found, find);
    if (exported != NULL)
        exported->unsupported(name);
    return facet_latch(cudaErrorNotSupported);
}
