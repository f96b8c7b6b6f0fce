/* What the runtime does not have. */
#include "runtime.h"

cudaError_t facet_cudart_unsupported(const char *name)
{
    (void)name;
    return facet_latch(cudaErrorNotSupported);
}
