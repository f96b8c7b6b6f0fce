/* Leads functions of a linked-in runtime to ours. */
#ifndef FACET_REDIRECT_H
#define FACET_REDIRECT_H

#include "static_runtime.h"

/* Writes a jump over every function of the runtime in an object that is loaded with this difference
 * between the addresses in memory and in its file. Returns how many functions are led to ours, or -1 when
 * the memory cannot be written; *left counts the functions that stayed as they were. */
int facet_redirect(const struct facet_elf *elf, uintptr_t difference, enum facet_static_runtime version, int *left);

/* Writes a jump to target at a place. False when the memory cannot be written. */
bool facet_redirect_one(void *place, void (*target)(void));

enum { FACET_JUMP_BYTES = 13 };

#endif
