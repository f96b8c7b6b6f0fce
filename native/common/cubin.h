/* Machine code of a real GPU (a cubin is an ELF file) that carries what it was made from, in a section that only we look
 * for. Compilers in a program of a slice put it there (preload/compilers), so that such a file runs on this device too and
 * stays what it is for everybody else. */
#ifndef FACET_CUBIN_H
#define FACET_CUBIN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether these bytes begin as an ELF file does. */
bool facet_cubin_is(const void *data, size_t bytes);

/* Bytes of a cubin up to the end of what its header names; 0 when it is none that we understand. */
size_t facet_cubin_bytes(const void *cubin);

/* What it carries: PTX text with its 0 or a container. NULL when nothing. bytes: of the cubin, 0 when nobody knows. */
const void *facet_cubin_origin(const void *cubin, size_t bytes, size_t *origin_bytes);

/* The first of its kernels, for people; empty when there is none, or no room for the name. */
void facet_cubin_kernel(const void *cubin, size_t bytes, char *name, size_t room);

/* Bytes of a cubin together with its origin; 0 when it cannot carry one. */
size_t facet_cubin_with_bytes(const void *cubin, size_t bytes, size_t origin_bytes);

/* Writes that many bytes to a place. */
void facet_cubin_with(void *place, const void *cubin, size_t bytes, const void *origin, size_t origin_bytes);

#endif
