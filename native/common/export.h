/* What our runtime asks of our driver beyond the driver API, through cuGetExportTable. Another driver does
 * not know the table; then the runtime does without. */
#ifndef FACET_EXPORT_H
#define FACET_EXPORT_H

#include "facet_cuda.h"

/* The id of the table, with its 0 at the end. */
#define FACET_EXPORT_ID "facet, runtime1"

struct facet_export {
    size_t bytes; /* of the table, which may grow */
    /* Counts a call that is not supported. */
    CUresult (*unsupported)(const char *name);
};

_Static_assert(sizeof FACET_EXPORT_ID == sizeof(CUuuid), "ids of tables have 16 bytes");

#endif
