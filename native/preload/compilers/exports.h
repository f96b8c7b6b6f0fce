/* Functions that a library offers to others, replaced by ours: whoever looks them up, by the dynamic linker or by dlsym, gets
 * ours. The library's own code stays as it is, and ours calls it. */
#ifndef FACET_PRELOAD_EXPORTS_H
#define FACET_PRELOAD_EXPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "../elf_file.h"

typedef void (*facet_function)(void);

struct facet_export_hook {
    const char *name;      /* also __name_13_0 and such, as nvJitLink has them */
    facet_function ours;   /* NULL: theirs is only looked up */
    facet_function theirs; /* filled in */
};

/* All of them or none: false when one is missing or the memory cannot be written. */
bool facet_hook_exports(const struct facet_elf *elf, uintptr_t difference, struct facet_export_hook *hooks, unsigned count);

#endif
