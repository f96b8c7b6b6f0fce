#ifndef FACET_PRELOAD_OBJECTS_H
#define FACET_PRELOAD_OBJECTS_H

#include <stdint.h>

/* The path of the program itself. */
#define FACET_PROGRAM "/proc/self/exe"

/* Looks at an object that was just loaded, before any of its code has run. name: for people. difference:
 * between the addresses in memory and in its file. */
void facet_object_loaded(const char *path, const char *name, uintptr_t difference);

#endif
