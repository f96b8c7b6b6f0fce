/* The vendor's compilers work without a GPU. What they make for real GPUs, this device runs by the PTX that was on the way to it:
 * each of these has it put into the machine code (common/cubin.h). */
#ifndef FACET_PRELOAD_COMPILERS_H
#define FACET_PRELOAD_COMPILERS_H

#include <stdbool.h>
#include <stdint.h>

#include "../elf_file.h"

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

/* How many versions of a compiler one process may have. */
enum { FACET_COMPILER_VERSIONS = 4 };

#endif
