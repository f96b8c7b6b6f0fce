/* What the files about code share: loading with options, functions by index, the way back. */
#ifndef FACET_MODULE_H
#define FACET_MODULE_H

#include "context.h"
#include "image.h"
#include "jit_options.h"

struct facet_module {
    struct facet_object object;
    void *answer; /* copy of ModuleAnswer */
    const struct facet_function_record *functions;
    const struct facet_parameter_record *parameters;
    const struct facet_variable_record *variables;
    const char *names;
    const char *log;
    uint32_t function_count;
    uint32_t variable_count;
    struct facet_function **handles; /* by function; made when asked for */
    uint32_t *function_order;        /* indices in the order of the names */
    uint32_t *variable_order;
    void *owner;                     /* the library it was loaded for, or NULL */
};

/* Its variables are gone, and so are the textures that were bound to them. */
void facet_texture_references_forget(struct facet_module *module);

struct facet_function {
    struct facet_object object;
    struct facet_module *module;
    uint32_t index;
    const struct facet_function_record *record;
    const struct facet_parameter_record *parameters; /* of this function */
    int max_dynamic_shared;
    int preferred_carveout;
    int cache_config;
    unsigned cluster[3];       /* that cuFuncSetAttribute asks for; 0: none */
    bool non_portable_cluster; /* more than 8 blocks are allowed */
    int cluster_policy;        /* kept, a hint */
    struct facet_kernel *kernel; /* that it was asked for through, or NULL */
    struct facet_old_launch *old; /* what is set for cuLaunch, or NULL */
};

/* Loads an image as the program gave it; bytes may be 0 (unknown). Logs go where jit says. */
CUresult facet_module_load_with(struct facet_context *context, const void *image, size_t bytes, const struct facet_jit *jit,
                                struct facet_module **module);
/* What to answer for an image that cannot be used; the user is told what to do. */
CUresult facet_image_refuse(enum facet_image_problem problem, const void *image, size_t bytes, const struct facet_jit *jit);
/* The handle of a function; NULL when there is no room for another. */
struct facet_function *facet_module_function_at(struct facet_module *module, uint32_t index);
/* Index of a name, or -1. */
int64_t facet_module_function_index(const struct facet_module *module, const char *name);
/* Frees what the client knows of a module; the host is not told. */
void facet_module_forget(struct facet_module *module);
/* Unloads, on the host too. */
CUresult facet_module_drop(struct facet_module *module);

/* answer.c: reads a ModuleAnswer of at most capacity bytes into the module, which keeps a copy. */
CUresult facet_answer_read(const void *answer, size_t capacity, struct facet_module *module);
/* No function is said to have more registers than that; 0: no limit. */
void facet_answer_limit(struct facet_module *module, uint32_t registers);
void facet_answer_free(struct facet_module *module);

/* file.c: a whole file, with a 0 behind it. */
CUresult facet_file_read(const char *name, void **data, size_t *bytes);

/* Whether a handle is a function, or a kernel, which then is resolved in the context. */
CUresult facet_function_resolve(CUfunction handle, struct facet_context *context, struct facet_function **function);
/* library.c: the function of a kernel in a context. */
CUresult facet_kernel_function(struct facet_kernel *kernel, struct facet_context *context, struct facet_function **function);

/* function.c: sets an attribute of a function, checked, on the host too. */
CUresult facet_function_set(struct facet_function *function, int attribute, int value);
CUresult facet_function_get(const struct facet_function *function, int attribute, int *value);

CUresult facet_module_load(struct facet_context *context, const void *image, size_t bytes, struct facet_module **module);
/* old_launch.c: forgets what was set for cuLaunch. */
void facet_old_launch_forget(struct facet_function *function);

struct facet_function *facet_module_function(struct facet_module *module, const char *name);
const struct facet_variable_record *facet_module_variable(const struct facet_module *module, const char *name);

#endif
