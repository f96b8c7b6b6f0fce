/* What was replaced, for the driver to know. It finds the two last functions by their names: docs/foreign-runtimes.md */
#ifndef FACET_REPLACED_H
#define FACET_REPLACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The runtime of an object, loaded with this difference between addresses in memory and in its file, is ours now. version: what it
 * said of itself, 13040 for 13.4; 0: not known. */
void facet_replaced_note(uintptr_t difference, int version);

/* The version that the code of a runtime says of itself, or 0. */
int facet_replaced_version(const unsigned char *code, size_t bytes);

int facet_preload_newest_runtime(void);
bool facet_preload_has_replaced(uintptr_t difference);

#endif
