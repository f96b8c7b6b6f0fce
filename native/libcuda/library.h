#ifndef FACET_LIBRARY_H
#define FACET_LIBRARY_H

#include "module.h"

/* Code without a context: its module is loaded in a context when it is first needed there. */
struct facet_library {
    struct facet_object object;
    const void *image;
    size_t bytes;
    void *copy; /* the image, when it is not the program's own */
    struct facet_module *modules[FACET_CONTEXTS]; /* by id of the context */
    struct facet_kernel **kernels;                /* by function; made when asked for */
    uint32_t kernel_count;
    int borrowed; /* device whose primary context is held for it, plus 1 */
};

/* A function without a context. */
struct facet_kernel {
    struct facet_object object;
    struct facet_library *library;
    uint32_t index;
    char *name;
    struct facet_function *_Atomic functions[FACET_CONTEXTS]; /* by id of the context */
    int max_dynamic_shared; /* -1: not set */
    int preferred_carveout;
    int cache_config;
};

/* The module of a library in a context, loaded when it is not there yet. */
CUresult facet_library_module(struct facet_library *library, struct facet_context *context, struct facet_module **module);
/* A module of the library in whatever context: to ask for what does not depend on it. */
CUresult facet_library_any_module(struct facet_library *library, struct facet_module **module);
/* The handle of a kernel, by its index in any_module. */
CUresult facet_library_kernel(struct facet_library *library, const struct facet_module *module, uint32_t index, struct facet_kernel **kernel);
/* A context is going: its modules are no longer ours. */
void facet_libraries_forget(struct facet_context *context);

#endif
