/* The vendor's nvidia-smi asks its NVML for tables of functions that are their own agreement, by ids that are no part of any API. It
 * ends when it gets none. It gets one in which every function says that it is not supported, which it takes for an answer. */
#include "management.h"

enum { FUNCTIONS = 511 };

typedef nvmlReturn_t function(void);

static nvmlReturn_t not_supported(void)
{
    return NVML_ERROR_NOT_SUPPORTED;
}

struct table {
    size_t bytes; /* of all of it */
    function *functions[FUNCTIONS];
};

static struct table table;

static void fill(void)
{
    table.bytes = sizeof table;
    for (int i = 0; i < FUNCTIONS; i++)
        table.functions[i] = not_supported;
}

nvmlReturn_t facet_nvmlInternalGetExportTable(const void **found, const void *id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (id == NULL)
        return NVML_ERROR_INVALID_ARGUMENT;
    pthread_once(&once, fill);
    *found = &table;
    return NVML_SUCCESS;
}
