/* Calls that would give memory or run work, and that Facet does not have: they say so. A call that is supported one day
 * gets a way of its own; the coverage test asks for it. */
#include <dlfcn.h>

#include "escape.h"

/* With arguments that mean nothing: it must not come to look at them. */
static int ask(const char *name)
{
    static uint64_t out[64];
    CUresult (*function)(void *, void *, void *, void *, void *, void *);
    *(void **)&function = dlsym(first_driver.handle, name);
    return function == NULL ? (int)CUDA_ERROR_NOT_FOUND : (int)function(out, out, out, out, out, out);
}

#define ASK(function, name)          \
    static int function(size_t want) \
    {                                \
        (void)want;                  \
        return ask(name);            \
    }

ASK(external, "cuImportExternalMemory")
ASK(multicast, "cuMulticastCreate")
ASK(green, "cuGreenCtxCreate")
ASK(old_allocate, "cuMemAlloc")

const struct way unsupported_ways[] = {
    {.name = "cuImportExternalMemory", .kind = UNSUPPORTED, .take = external, .calls = "cuImportExternalMemory"},
    {.name = "cuMulticastCreate", .kind = UNSUPPORTED, .take = multicast, .calls = "cuMulticastCreate"},
    {.name = "cuGreenCtxCreate", .kind = UNSUPPORTED, .take = green, .calls = "cuGreenCtxCreate"},
    {.name = "cuMemAlloc-32-bit", .kind = UNSUPPORTED, .take = old_allocate, .calls = "cuMemAlloc"},
    {.name = NULL},
};
