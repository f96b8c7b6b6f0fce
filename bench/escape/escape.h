/* Ways past the limits of a slice. Each is a function that takes device memory, or makes work, in one
 * particular way until it is refused. docs/escape-matrix.md */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

/* What a way does when nothing limits it, and what is expected where something does. */
enum kind {
    MEMORY,      /* gets device memory; a limit holds it */
    HOST,        /* gets host memory: as much as it likes, and none of it counts */
    REFUSED,     /* asks for what nobody can have */
    UNSUPPORTED, /* Facet does not have the call */
    HOSTILE,     /* gets device memory without our library, which may end its session; a limit holds it */
    TRESPASS,    /* uses memory that nobody gave it, which ends its session wherever it is */
    DAEMON,      /* has the daemon take memory for it; a limit holds that too */
    INHERITED,   /* keeps memory of a session that is over */
    COMPUTE,     /* makes work */
    ENDLESS,     /* makes work that ends with its program alone, if with anything */
    COMPILE,     /* has code made for it, as much as it likes */
    ACROSS,      /* reaches for memory of another slice */
};

struct way {
    const char *name;
    enum kind kind;
    /* All but the next four: takes at least `want` bytes, or all it gets. What refused it, or CUDA_SUCCESS.
     * ACROSS: see across_ways.c */
    int (*take)(size_t want);
    /* COMPUTE: works until stopped(). ENDLESS, COMPILE: until the process is killed, or stopped() */
    void (*work)(void);
    bool late; /* it opens the device itself */
    const char *calls; /* the supported calls that it tries, for the coverage test */
};

extern const struct way memory_ways[], array_ways[], graph_ways[], pool_ways[], module_ways[], heap_ways[], context_ways[], process_ways[],
    runtime_ways[], hostile_ways[], daemon_ways[], inherited_ways[], unsupported_ways[], compute_ways[], runtime_compute_ways[], endless_ways[],
    compile_ways[], across_ways[], texture_ways[], mapped_ways[];

/* ---- library.c: a copy of the driver library. There may be several in one process. */

struct driver {
    void *handle;
    CUresult (*init)(unsigned);
    CUresult (*device_get)(CUdevice *, int);
    CUresult (*primary_retain)(CUcontext *, CUdevice);
    CUresult (*set_current)(CUcontext);
    CUresult (*get_current)(CUcontext *);
    CUresult (*context_synchronize)(void);
    CUresult (*module_load)(CUmodule *, const void *);
    CUresult (*module_function)(CUfunction *, CUmodule, const char *);
    CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
    CUresult (*allocate)(CUdeviceptr *, size_t);
    CUresult (*give)(CUdeviceptr);
    CUresult (*host_allocate)(void **, size_t, unsigned);
};

extern struct driver first_driver, *driver; /* the one in use */

void driver_open(struct driver *driver, void *handle);
/* The device's primary context of the driver in use, current in this thread. */
CUcontext open_device(void);

/* ---- held.c: what was got, and whether all of it is there at the same time */

/* Says so on stdout and ends the program when the call did not do what it must. */
void must(int result, const char *what);
#define MUST(call) must((int)(call), #call)

CUfunction kernel(const char *name); /* of the current context */
extern const char kernels[];         /* the text */

/* Memory of the current context that was got; every 256 bytes get a mark of their own. */
void got(CUdeviceptr address, size_t bytes);
/* The same, with a function that gives it back instead of cuMemFree; NULL: nothing does. */
void got_by(CUdeviceptr address, size_t bytes, void (*give)(CUdeviceptr));
size_t held_bytes(void);
/* Bytes that still have their marks. Contexts that are gone have none. */
size_t kept_bytes(void);
void give_back(void);
/* Forgets without giving back: the context is gone. */
void forget_all(void);

/* Takes pieces by a function until `want` bytes are there. Smaller pieces are tried when large ones do not
 * fit. What refused it last, or CUDA_SUCCESS. */
int take_pieces(size_t want, size_t piece, int (*one)(size_t bytes));
int take_plain(size_t bytes); /* with cuMemAlloc */

/* Bytes that a way holds without the driver library: how many still have their marks. */
extern size_t other_held;
extern size_t (*other_kept)(void);
extern void (*other_give)(void); /* gives them back */

/* ---- escape.c */

int run_take(const struct way *way, size_t want);
const struct way *find_way(const char *name);

bool stopped(void); /* whether the work is over */
extern char *self;  /* this program's path */

/* A PTX text that is being written; it begins with the module's directives. fclose() ends it, free() frees it. */
FILE *begin_text(char **text);
/* A kernel of a text, in the current context. */
CUfunction load_text(const char *text, const char *name);

/* ---- endless_ways.c: a kernel that launches itself, three times in each thread */
CUfunction nested_bomb(void);

/* ---- process_ways.c: children that do the same, as one */

void tell_children(const char *line);
size_t hear_children(const char *word, int *worst);
bool have_children(void);
/* This process is one that its parent became: go on where that one was. */
bool is_sequel(void);

enum { NOT_HERE = -2 }; /* code of a way that this machine does not allow to try */

/* ---- module_ways.c */

void *fat_binary(const char *ptx); /* a container with one entry; free() */

/* ---- runtime_ways.c */

void *runtime(const char *name); /* a function of libcudart */

#endif
