/* The vendor's compilers work without a GPU. What they make for real GPUs, this device runs by the PTX that was on the way to it:
 * each of these has it put into the machine code (common/cubin.h). */
#ifndef FACET_PRELOAD_COMPILERS_H
#define FACET_PRELOAD_COMPILERS_H

#include <stdbool.h>
#include <stdint.h>

#include "../elf_file.h"
#include "exports.h"

/* Whether a library is one of them. */
bool facet_compiler_is(const struct facet_elf *elf);

/* For one that was just loaded. */
void facet_compiler_loaded(const struct facet_elf *elf, uintptr_t difference);

/* One file each. What cannot be replaced stays as it is: too many versions, or functions that are missing. */
void facet_nvrtc_loaded(const struct facet_elf *elf, uintptr_t difference);
void facet_jit_link_loaded(const struct facet_elf *elf, uintptr_t difference);

/* Where this process is the assembler that nvcc runs. */
void facet_assembler_started(const char *program);

/* A copy of the cubin that has its origin inside; NULL: not possible. */
void *facet_carry(const void *cubin, size_t bytes, const void *origin, size_t origin_bytes, size_t *carried_bytes);

/* What a compiler has made, by the functions of its that tell the size and copy the bytes; with a 0 behind it, to be
 * freed. NULL: there is none, or no memory. */
void *facet_compiled(const struct facet_export_hook size_and_data[2], void *handle, size_t *bytes);

/* Machine code that carries its origin, to be freed; NULL: theirs is all there is. */
typedef void *facet_carried(const struct facet_export_hook *hooks, void *handle, size_t *bytes);

/* What a program gets that asks for the size of machine code, and for its bytes. */
int facet_carried_size(const struct facet_export_hook *hooks, unsigned size, facet_carried *carried, void *handle, size_t *bytes);
int facet_carried_data(const struct facet_export_hook *hooks, unsigned data, facet_carried *carried, void *handle, void *place);

/* How many versions of a compiler one process may have. */
enum { FACET_COMPILER_VERSIONS = 4 };

#endif
