#ifndef FACET_LIBRARY_H
#define FACET_LIBRARY_H

#include "module.h"

/* The module of a library in a context, loaded when it is not there yet. */
CUresult facet_library_module(struct facet_library *library, struct facet_context *context, struct facet_module **module);
/* A module of the library in whatever context: to ask for what does not depend on it. */
CUresult facet_library_any_module(struct facet_library *library, struct facet_module **module);
/* The handle of a kernel, by its index in any_module. */
CUresult facet_library_kernel(struct facet_library *library, const struct facet_module *module, uint32_t index, struct facet_kernel **kernel);
/* A context is going: its modules are no longer ours. */
void facet_libraries_forget(struct facet_context *context);

#endif
