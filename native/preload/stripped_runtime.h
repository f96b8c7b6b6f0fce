/* A linked-in CUDA runtime whose functions have no names any more.
 *
 * Each function of the API still tells tools what it is called: it takes the address of its own name. So the code that
 * refers to such a name is the function of that name; where it begins is in the tables for exceptions, which stay. What
 * the compiler's own code calls (__cudaRegisterFatBinary and others) has no such name, but lies around one that has, always in the
 * same order. docs/foreign-runtimes.md */
#ifndef FACET_STRIPPED_RUNTIME_H
#define FACET_STRIPPED_RUNTIME_H

#include <stdint.h>

#include "elf_file.h"

struct facet_stripped_function {
    const char *name; /* in the file, or constant */
    uint64_t address;
    uint64_t bytes; /* of its code */
};

struct facet_stripped {
    const struct facet_stripped_function *functions; /* until the next one is looked for */
    size_t count; /* 0: there is none, or it is not known well enough */
};

/* Not to be called by several threads. */
struct facet_stripped facet_stripped_find(const struct facet_elf *elf);

#endif
