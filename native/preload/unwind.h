/* Where functions begin and end, by the tables that exceptions need (.eh_frame_hdr). Trusts nothing in the file. */
#ifndef FACET_UNWIND_H
#define FACET_UNWIND_H

#include <stdint.h>

#include "elf_file.h"

struct facet_unwind {
    const struct facet_elf *elf;
    const ElfW(Shdr) *index;
    const ElfW(Shdr) *frames;
    uint32_t count;
};

struct facet_code_range {
    uint64_t address;
    uint64_t bytes;
};

/* False when the file has no such tables, or others than compilers write. */
bool facet_unwind_open(const struct facet_elf *elf, struct facet_unwind *unwind);
/* The number of the function with an address in it, in the order of addresses; -1: none. */
int64_t facet_unwind_at(const struct facet_unwind *unwind, uint64_t address);
/* False when there is no such number. */
bool facet_unwind_range(const struct facet_unwind *unwind, int64_t number, struct facet_code_range *range);

#endif
