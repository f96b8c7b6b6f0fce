#include "unwind.h"

#include <string.h>

enum {
    HEADER = 12,      /* version, three encodings, address of the frames, count */
    ENTRY = 8,        /* begin, and where its frame is, both from the start of the table */
    UNSIGNED_4 = 3,   /* DW_EH_PE_udata4 */
    FROM_TABLE = 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
};

/* Of a frame: length, where its common part is, begin from here on, bytes of code. */
enum { FRAME_BEGIN = 8, FRAME_BYTES = 12, FRAME = 16 };

static bool inside(const struct facet_elf *elf, const ElfW(Shdr) *section)
{
    return section->sh_type != SHT_NOBITS && section->sh_offset <= elf->size && section->sh_size <= elf->size - section->sh_offset;
}

static int32_t number_at(const struct facet_elf *elf, const ElfW(Shdr) *section, uint64_t offset)
{
    int32_t value;
    memcpy(&value, elf->bytes + section->sh_offset + offset, sizeof value);
    return value;
}

bool facet_unwind_open(const struct facet_elf *elf, struct facet_unwind *unwind)
{
    const ElfW(Shdr) *index = facet_elf_section(elf, ".eh_frame_hdr");
    const ElfW(Shdr) *frames = facet_elf_section(elf, ".eh_frame");
    if (index == NULL || frames == NULL || !inside(elf, index) || !inside(elf, frames) || index->sh_size < HEADER)
        return false;
    const unsigned char *header = elf->bytes + index->sh_offset;
    if (header[0] != 1 || header[2] != UNSIGNED_4 || header[3] != FROM_TABLE)
        return false;
    uint32_t count = (uint32_t)number_at(elf, index, HEADER - 4);
    if (count > (index->sh_size - HEADER) / ENTRY)
        return false;
    *unwind = (struct facet_unwind){elf, index, frames, count};
    return true;
}

static uint64_t begin_of(const struct facet_unwind *unwind, uint32_t number)
{
    return unwind->index->sh_addr + (uint64_t)(int64_t)number_at(unwind->elf, unwind->index, HEADER + (uint64_t)number * ENTRY);
}

bool facet_unwind_range(const struct facet_unwind *unwind, int64_t number, struct facet_code_range *range)
{
    if (number < 0 || number >= unwind->count)
        return false;
    uint64_t begin = begin_of(unwind, (uint32_t)number);
    int32_t difference = number_at(unwind->elf, unwind->index, HEADER + (uint64_t)number * ENTRY + 4);
    uint64_t frame = unwind->index->sh_addr + (uint64_t)(int64_t)difference - unwind->frames->sh_addr;
    if (unwind->frames->sh_size < FRAME || frame > unwind->frames->sh_size - FRAME)
        return false;
    /* Written as everybody does: from its own place, in 4 bytes. */
    uint64_t told = unwind->frames->sh_addr + frame + FRAME_BEGIN + (uint64_t)(int64_t)number_at(unwind->elf, unwind->frames, frame + FRAME_BEGIN);
    *range = (struct facet_code_range){begin, (uint32_t)number_at(unwind->elf, unwind->frames, frame + FRAME_BYTES)};
    return told == begin;
}

int64_t facet_unwind_at(const struct facet_unwind *unwind, uint64_t address)
{
    int64_t low = 0, high = unwind->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (begin_of(unwind, (uint32_t)middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct facet_code_range range;
    return facet_unwind_range(unwind, low - 1, &range) && address - range.address < range.bytes ? low - 1 : -1;
}
