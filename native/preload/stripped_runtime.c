#include "stripped_runtime.h"

#include <string.h>

#include "unwind.h"

#define ANCHOR "__cudaInitModule"

enum {
    MOST = 1024,             /* functions; 13.4 has 458 */
    FEWEST = 200,            /* less is no runtime, or one that is built otherwise: 12.0 to 12.6 have 13 */
    MOST_ANCHORS = 4,        /* places where the name stands */
    MOST_CALLS = 8,          /* of different functions with a fat binary */
    TEXT_NEAR = 2 << 20,     /* the runtime's code is 0.5 MB */
    NAMES_NEAR = 128 << 10,  /* its names 16 KB */
    LONGEST_NAME = 96,
    CALL_NEAR = 24,          /* from the address of a fat binary to the call with it */
    ALIGNMENT = 16,          /* of functions */
    INSTRUCTION = 7          /* lea offset(%rip), register */
};

/* What has no name, in the order of addresses; the one that has is in the middle. The same in 12.1 to 13.4. */
static const char *const around[] = {
    "__cudaRegisterFatBinary",     "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary", "__cudaRegisterVar",
    "__cudaRegisterManagedVar",    "__cudaRegisterHostVar",      "__cudaRegisterFunction",    ANCHOR,
    "__cudaPushCallConfiguration", "__cudaPopCallConfiguration", "__cudaGetKernel",           "__cudaLaunchKernel",
    "__cudaLaunchKernel_ptsz",     "__cudaRegisterUnifiedTable",
};
enum { AROUND = sizeof around / sizeof *around, BEFORE = 7 };

/* A section of the file, and where it lies in memory. */
struct part {
    const unsigned char *bytes;
    uint64_t address;
    uint64_t size;
};

struct search {
    struct facet_unwind unwind;
    struct part text, names, fat;
    uint64_t anchors[MOST_ANCHORS]; /* addresses of the name */
    size_t anchor_count;
    uint64_t anchor, site;    /* the one that code refers to, and that code */
    uint64_t calls[MOST_CALLS]; /* of what is called with the address of a fat binary */
    size_t call_count;
};

static struct facet_stripped_function found[MOST];
static size_t found_count;

static bool part_of(const struct facet_elf *elf, const char *name, struct part *part)
{
    const ElfW(Shdr) *section = facet_elf_section(elf, name);
    if (section == NULL || section->sh_type == SHT_NOBITS || section->sh_offset > elf->size || section->sh_size > elf->size - section->sh_offset)
        return false;
    *part = (struct part){elf->bytes + section->sh_offset, section->sh_addr, section->sh_size};
    return true;
}

static bool within(const struct part *part, uint64_t address)
{
    return address - part->address < part->size;
}

/* The part of it that is near to an address in it. */
static struct part near_to(const struct part *part, uint64_t address, uint64_t distance)
{
    uint64_t at = address - part->address;
    uint64_t from = at < distance ? 0 : at - distance;
    uint64_t to = part->size - at < distance ? part->size : at + distance;
    return (struct part){part->bytes + from, part->address + from, to - from};
}

static void find_anchors(struct search *search)
{
    static const char text[] = "\0" ANCHOR; /* and the 0 behind it */
    const unsigned char *at = search->names.bytes, *end = at + search->names.size;
    while (search->anchor_count < MOST_ANCHORS && (at = memmem(at, (size_t)(end - at), text, sizeof text)) != NULL) {
        search->anchors[search->anchor_count++] = search->names.address + (uint64_t)(at + 1 - search->names.bytes);
        at++;
    }
}

/* Calls visit for each instruction that takes an address: where it is, and the address. */
static void each_address(struct search *search, const struct part *code, void (*visit)(struct search *search, uint64_t site, uint64_t target))
{
    enum { LEA = 0x8d, WIDE = 0x48, WIDE_HIGH = 0x4c, MODE = 0xc7, FROM_HERE = 0x05 };
    const unsigned char *at = code->bytes + 1, *end = code->bytes + code->size;
    while (end - at >= INSTRUCTION - 1 && (at = memchr(at, LEA, (size_t)(end - at) - (INSTRUCTION - 2))) != NULL) {
        if ((at[-1] == WIDE || at[-1] == WIDE_HIGH) && (at[1] & MODE) == FROM_HERE) {
            uint64_t site = code->address + (uint64_t)(at - 1 - code->bytes);
            int32_t difference;
            memcpy(&difference, at + 2, sizeof difference);
            visit(search, site, site + INSTRUCTION + (uint64_t)(int64_t)difference);
        }
        at++;
    }
}

/* call target, soon behind the address of a fat binary as the first argument */
static void note_call(struct search *search, uint64_t site)
{
    enum { CALL = 0xe8, CALL_BYTES = 5, FIRST_ARGUMENT = 0x3d };
    const unsigned char *code = search->text.bytes + (site - search->text.address);
    if (code[2] != FIRST_ARGUMENT)
        return;
    for (uint64_t i = INSTRUCTION; i < CALL_NEAR && site - search->text.address + i + CALL_BYTES <= search->text.size; i++) {
        int32_t difference;
        memcpy(&difference, code + i + 1, sizeof difference);
        uint64_t target = site + i + CALL_BYTES + (uint64_t)(int64_t)difference;
        if (code[i] != CALL || !within(&search->text, target))
            continue;
        for (size_t k = 0; k < search->call_count; k++)
            if (search->calls[k] == target)
                return;
        if (search->call_count < MOST_CALLS)
            search->calls[search->call_count++] = target;
        return;
    }
}

static void first_look(struct search *search, uint64_t site, uint64_t target)
{
    if (within(&search->fat, target))
        note_call(search, site);
    for (size_t i = 0; i < search->anchor_count; i++)
        if (search->anchors[i] == target && search->site == 0) {
            search->anchor = target;
            search->site = site;
        }
}

/* A name of the API, or NULL. */
static const char *name_at(const struct search *search, uint64_t address)
{
    if (!within(&search->names, address) || address == search->names.address)
        return NULL;
    const char *name = (const char *)search->names.bytes + (address - search->names.address);
    size_t room = search->names.size - (address - search->names.address);
    size_t length = strnlen(name, room < LONGEST_NAME ? room : LONGEST_NAME);
    if (length == room || length == LONGEST_NAME || name[-1] != '\0')
        return NULL;
    const char *rest = strncmp(name, "__cuda", 6) == 0 ? name + 6 : strncmp(name, "cuda", 4) == 0 ? name + 4 : "";
    bool possible = *rest >= 'A' && *rest <= 'Z';
    for (; *rest != '\0'; rest++)
        possible &= (*rest >= 'A' && *rest <= 'Z') || (*rest >= 'a' && *rest <= 'z') || (*rest >= '0' && *rest <= '9') || *rest == '_';
    return possible ? name : NULL;
}

/* What is named twice, or has two names, is not what we think. */
static void add(const char *name, struct facet_code_range range)
{
    for (size_t i = 0; i < found_count; i++) {
        bool same = found[i].address == range.address, named = strcmp(found[i].name, name) == 0;
        if (same && named)
            return;
        if (same || named) {
            found[i].bytes = 0;
            return;
        }
    }
    if (found_count < MOST)
        found[found_count++] = (struct facet_stripped_function){name, range.address, range.bytes};
}

static void second_look(struct search *search, uint64_t site, uint64_t target)
{
    const char *name = name_at(search, target);
    struct facet_code_range range;
    if (name != NULL && facet_unwind_range(&search->unwind, facet_unwind_at(&search->unwind, site), &range) && range.address % ALIGNMENT == 0 &&
        within(&search->text, range.address))
        add(name, range);
}

static bool is_called(const struct search *search, uint64_t address)
{
    bool called = false;
    for (size_t i = 0; i < search->call_count; i++)
        called |= search->calls[i] == address;
    return called;
}

/* False when what registers fat binaries is not where it should be. */
static bool add_around(struct search *search)
{
    int64_t number = facet_unwind_at(&search->unwind, search->site) - BEFORE;
    for (int i = 0; i < AROUND; i++) {
        struct facet_code_range range;
        if (!facet_unwind_range(&search->unwind, number + i, &range) || range.address % ALIGNMENT != 0 || !within(&search->text, range.address) ||
            (i == 0 && !is_called(search, range.address)))
            return false;
        if (i != BEFORE)
            add(around[i], range);
    }
    return true;
}

static void drop_doubtful(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < found_count; i++)
        if (found[i].bytes != 0)
            found[kept++] = found[i];
    found_count = kept;
}

struct facet_stripped facet_stripped_find(const struct facet_elf *elf)
{
    struct search search = {0};
    found_count = 0;
    if (!part_of(elf, ".text", &search.text) || !part_of(elf, ".rodata", &search.names) || !part_of(elf, ".nvFatBinSegment", &search.fat) ||
        !facet_unwind_open(elf, &search.unwind) || search.text.size < INSTRUCTION)
        return (struct facet_stripped){0};
    find_anchors(&search);
    if (search.anchor_count > 0)
        each_address(&search, &search.text, first_look);
    if (search.site == 0)
        return (struct facet_stripped){0};
    struct part text = near_to(&search.text, search.site, TEXT_NEAR);
    search.names = near_to(&search.names, search.anchor, NAMES_NEAR);
    each_address(&search, &text, second_look);
    bool known = add_around(&search);
    drop_doubtful();
    return known && found_count >= FEWEST ? (struct facet_stripped){found, found_count} : (struct facet_stripped){0};
}
