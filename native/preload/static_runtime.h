/* Recognises a CUDA runtime that is not ours: linked into a program or a library, or the vendor's libcudart.so
 * itself where a program names its path. */
#ifndef FACET_STATIC_RUNTIME_H
#define FACET_STATIC_RUNTIME_H

#include <stdint.h>

#include "elf_file.h"

enum facet_static_runtime {
    FACET_NO_RUNTIME,       /* none, ours, or one that is loaded as a library */
    FACET_RUNTIME_12,       /* the ABI of 12; 11 is near enough */
    FACET_RUNTIME_13,
    FACET_RUNTIME_STRIPPED, /* there may be one, but its functions have no names any more, and were not found otherwise */
};

/* Not to be called by several threads. */
enum facet_static_runtime facet_static_runtime(const struct facet_elf *elf);

/* Of the file that facet_static_runtime was asked about last. Calls visit for every function of the API in it: its name, its address in the file, its
 * code there. At least bytes of code belong to it. Returns how many functions were too short for that. */
int facet_static_runtime_each(const struct facet_elf *elf, size_t bytes,
                              void (*visit)(const char *name, uint64_t address, const unsigned char *code, void *data), void *data);

#endif
