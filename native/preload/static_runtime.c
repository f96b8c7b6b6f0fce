#include "static_runtime.h"

#include <elf.h>
#include <string.h>

#include "stripped_runtime.h"

/* Every version has these, and a program that merely names one of them does not define it. */
static const char *const core[] = {"__cudaRegisterFatBinary", "__cudaRegisterFunction", "cudaLaunchKernel", "cudaMalloc", "cudaGetLastError"};
enum { CORE = sizeof core / sizeof *core };

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const ElfW(Sym) *find(const struct facet_elf *elf, const struct facet_elf_symbols *symbols, const char *name)
{
    size_t room;
    /* Symbols by the thousand, names by the megabyte: most files do not have the text at all. */
    if (memmem(symbols->names, symbols->name_bytes, name, strlen(name) + 1) == NULL)
        return NULL;
    for (size_t i = 0; i < symbols->count; i++) {
        if (strcmp(facet_elf_name(symbols, &symbols->symbols[i]), name) == 0 && facet_elf_code(elf, &symbols->symbols[i], &room) != NULL)
            return &symbols->symbols[i];
    }
    return NULL;
}

/* Whether the dynamic linker knows the name: from another library, or as what this one exports. */
static bool is_dynamic(const struct facet_elf *elf, const char *name)
{
    struct facet_elf_symbols symbols;
    if (!facet_elf_symbols(elf, SHT_DYNSYM, &symbols) || memmem(symbols.names, symbols.name_bytes, name, strlen(name) + 1) == NULL)
        return false;
    for (size_t i = 0; i < symbols.count; i++) {
        if (strcmp(facet_elf_name(&symbols, &symbols.symbols[i]), name) == 0)
            return true;
    }
    return false;
}

static bool defines_core(const struct facet_elf *elf, const struct facet_elf_symbols *symbols)
{
    for (int i = 0; i < CORE; i++) {
        if (find(elf, symbols, core[i]) == NULL)
            return false;
    }
    return true;
}

/* The vendor's library. Ours has a section of its own to be known by. */
static bool is_library(const struct facet_elf *elf, struct facet_elf_symbols *symbols)
{
    const char *name = facet_elf_soname(elf);
    return name != NULL && has_prefix(name, "libcudart.so.") && facet_elf_section(elf, ".facet") == NULL &&
           facet_elf_symbols(elf, SHT_DYNSYM, symbols) && defines_core(elf, symbols);
}

/* cudaGetDeviceProperties_v2 came with 12 and went with 13; cudaThreadExit went with 13. */
static enum facet_static_runtime version_of(const struct facet_elf *elf, const struct facet_elf_symbols *symbols)
{
    bool old = find(elf, symbols, "cudaGetDeviceProperties_v2") != NULL || find(elf, symbols, "cudaThreadExit") != NULL;
    return old ? FACET_RUNTIME_12 : FACET_RUNTIME_13;
}

/* Looking for one without names takes a while, and is asked for more than once. */
static struct {
    const struct facet_elf *elf;
    struct facet_stripped runtime;
} stripped;

/* The vendor's own libraries. With our runtime in them cuBLAS and cuFFT were found to fail later, with an error of their own that says
 * nothing; as they are, their first call says what is wrong. */
static bool keeps_its_own(const struct facet_elf *elf)
{
    static const char *const names[] = {"libcublas", "libcufft", "libcurand", "libcusolver", "libcusparse", "libcudnn", "libnpp", "libnvjpeg"};
    const char *name = facet_elf_soname(elf);
    bool keeps = false;
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++)
        keeps |= has_prefix(name, names[i]);
    return keeps;
}

static enum facet_static_runtime look_stripped(const struct facet_elf *elf)
{
    bool device_code = facet_elf_section(elf, ".nvFatBinSegment") != NULL || facet_elf_section(elf, ".nv_fatbin") != NULL;
    if (!device_code)
        return FACET_NO_RUNTIME;
    if (keeps_its_own(elf))
        return FACET_RUNTIME_STRIPPED;
    stripped.elf = elf;
    stripped.runtime = facet_stripped_find(elf);
    if (stripped.runtime.count == 0)
        return FACET_RUNTIME_STRIPPED;
    for (size_t i = 0; i < stripped.runtime.count; i++) {
        const char *name = stripped.runtime.functions[i].name;
        if (strcmp(name, "cudaGetDeviceProperties_v2") == 0 || strcmp(name, "cudaThreadExit") == 0)
            return FACET_RUNTIME_12;
    }
    return FACET_RUNTIME_13;
}

enum facet_static_runtime facet_static_runtime(const struct facet_elf *elf)
{
    struct facet_elf_symbols symbols;
    stripped.elf = NULL;
    if (is_library(elf, &symbols))
        return version_of(elf, &symbols);
    /* Who offers the runtime's functions to others, or has them from others, has none linked in. */
    if (is_dynamic(elf, core[0]))
        return FACET_NO_RUNTIME;
    if (facet_elf_symbols(elf, SHT_SYMTAB, &symbols))
        return defines_core(elf, &symbols) ? version_of(elf, &symbols) : FACET_NO_RUNTIME;
    return look_stripped(elf);
}

/* Names of the API begin so. The linker of device code writes functions into the program that call the runtime. */
static bool is_api(const char *name)
{
    const char *rest = has_prefix(name, "__cuda") ? name + 6 : has_prefix(name, "cuda") ? name + 4 : "";
    return *rest >= 'A' && *rest <= 'Z' && !has_prefix(rest, "RegisterLinkedBinary") && strcmp(rest, "UnregisterBinaryUtil") != 0;
}

struct range {
    uint64_t first;
    uint64_t last;
};

/* The linker puts the parts of the static library one behind the other. A function of the program whose
 * name looks like the API's lies outside. */
static struct range range_of(const struct facet_elf *elf, const struct facet_elf_symbols *symbols)
{
    struct range range = {UINT64_MAX, 0};
    for (size_t i = 0; i < symbols->count; i++) {
        const ElfW(Sym) *symbol = &symbols->symbols[i];
        const char *name = facet_elf_name(symbols, symbol);
        size_t room;
        bool known = has_prefix(name, "libcudart_static_") || has_prefix(name, "__cudart");
        for (int k = 0; k < CORE && !known; k++)
            known = strcmp(name, core[k]) == 0;
        if (!known || facet_elf_code(elf, symbol, &room) == NULL)
            continue;
        if (symbol->st_value < range.first)
            range.first = symbol->st_value;
        if (symbol->st_value > range.last)
            range.last = symbol->st_value;
    }
    return range;
}

/* The static library's functions are hidden: the linker leaves them so, or makes them local. What a program defines for
 * all of its files is its own, though it may lie among the runtime's rarely run code, which the linker puts in front. */
static bool is_visible(const ElfW(Sym) *symbol)
{
    return (symbol->st_info >> 4) != STB_LOCAL && (symbol->st_other & 3) == STV_DEFAULT;
}

/* Functions start at multiples of 16; a short one is followed by padding. */
static bool has_room(uint64_t address, uint64_t size, const unsigned char *code, size_t room, size_t bytes)
{
    enum { ALIGNMENT = 16 };
    if (size >= bytes)
        return room >= bytes;
    if (size == 0 || bytes > ALIGNMENT || address % ALIGNMENT != 0 || room < bytes)
        return false;
    /* int3, nop, and what the longer nops begin with */
    unsigned char padding = code[size];
    return padding == 0xcc || padding == 0x90 || padding == 0x66 || padding == 0x0f;
}

typedef void visitor(const char *name, uint64_t address, const unsigned char *code, void *data);

static int each_stripped(const struct facet_elf *elf, size_t bytes, visitor *visit, void *data)
{
    int too_short = 0;
    const ElfW(Shdr) *text = facet_elf_section(elf, ".text"); /* all of them lie in it */
    for (size_t i = 0; i < stripped.runtime.count; i++) {
        const struct facet_stripped_function *function = &stripped.runtime.functions[i];
        uint64_t offset = function->address - text->sh_addr;
        const unsigned char *code = elf->bytes + text->sh_offset + offset;
        if (has_room(function->address, function->bytes, code, text->sh_size - offset, bytes))
            visit(function->name, function->address, code, data);
        else
            too_short++;
    }
    return too_short;
}

int facet_static_runtime_each(const struct facet_elf *elf, size_t bytes, visitor *visit, void *data)
{
    if (stripped.elf == elf)
        return each_stripped(elf, bytes, visit, data);
    struct facet_elf_symbols symbols;
    struct range range = {0, UINT64_MAX};
    bool library = is_library(elf, &symbols);
    if (!library) {
        if (!facet_elf_symbols(elf, SHT_SYMTAB, &symbols))
            return 0;
        range = range_of(elf, &symbols);
    }
    int too_short = 0;
    for (size_t i = 0; i < symbols.count; i++) {
        const ElfW(Sym) *symbol = &symbols.symbols[i];
        const char *name = facet_elf_name(&symbols, symbol);
        if (!is_api(name) || symbol->st_value < range.first || symbol->st_value > range.last || (!library && is_visible(symbol)))
            continue;
        size_t room;
        const unsigned char *code = facet_elf_code(elf, symbol, &room);
        if (code == NULL)
            continue;
        if (has_room(symbol->st_value, symbol->st_size, code, room, bytes))
            visit(name, symbol->st_value, code, data);
        else
            too_short++;
    }
    return too_short;
}
