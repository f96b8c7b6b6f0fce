/* Kernels that are there twice in the code that was loaded: as the program has them, and in ranges under another name. A launch by the program's
 * own handle is what the program meant, whichever way it comes; the launches that launch.c knows of may use the other. */
#ifndef FACET_DIRECT_TWINS_H
#define FACET_DIRECT_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "facet_cuda.h"
#include "pace.h"

struct facet_code;

struct facet_twin {
    const char *kernel, *name;
    uint32_t parameters, offset; /* how many it has before the hidden one, and where that lies in a buffer */
    struct facet_code *code;
    _Atomic(CUfunction) function; /* the one in ranges; NULL: not looked up yet */
    _Atomic bool never;           /* it does not work here: launches are whole */
    struct facet_pace pace;
};

/* What was loaded. */
struct facet_code {
    struct facet_code *next;
    CUmodule module; /* or NULL */
    CUlibrary library;
    CUcontext context; /* of a module */
    char *text;        /* what was loaded, and what names point into: the driver may keep it */
    struct facet_twin *twins;
    uint32_t count;
};

/* FACET_RANGES, a variable of the environment: off, and code is loaded as it is; always, and every launch that can be comes in parts, which tests
 * want. */
enum facet_ranges { FACET_RANGES_USUAL, FACET_RANGES_OFF, FACET_RANGES_ALWAYS };
enum facet_ranges facet_ranges(void);

/* rewrite.c: asks the daemon. NULL: the image is to be loaded as it is. */
struct facet_code *facet_rewrite(const void *image, const char **text);

/* Something was loaded under this handle; code: NULL when it was loaded as it is. Any thread. */
void facet_twins_loaded(CUmodule module, CUlibrary library, struct facet_code *code);
void facet_twins_unloaded(CUmodule module, CUlibrary library);
void facet_twins_context_ends(CUcontext context);
void facet_twins_discard(struct facet_code *code);

/* Whether anything is there twice. Costs a load. */
bool facet_twins_any(void);
/* Of a handle that the program launches; NULL: none. of_library: it is a CUkernel. */
struct facet_twin *facet_twin_of(CUfunction function, bool *of_library);
/* The twin's own handle; NULL: the driver does not find it. */
CUfunction facet_twin_function(struct facet_twin *twin);
void facet_twins_forked(void);

#endif
