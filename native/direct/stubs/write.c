/* The library for calls without a rule, as a file:
 *
 *     page 0      headers, hash, symbols, strings, relocation          read
 *     page n      an entry a call: mov $number, %r11d; jmp *enter       read, execute
 *     page m      .dynamic, enter, facet_unruled_table, its arrays      read, write
 *
 * facet_unruled, which counts and goes on to the vendor's function, is in libcuda.so.1: the dynamic linker fills it into 'enter'. An entry
 * touches r11 alone, which no call of C carries anything in, and jumps: all arguments are where the caller put them. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stubs.h"

enum { PAGE = 4096, SEGMENTS = 5, DYNAMIC = 11 };

#define ENTER "facet_unruled"

struct layout {
    const struct facet_stubs_kind *kind;
    size_t calls, strings, string_bytes, symbols, symbol_count, hash, hash_words, relocations, read_end;
    size_t code, code_end;
    size_t data, enter, table, names, counts, functions, data_end;
};

static size_t aligned(size_t offset, size_t to)
{
    return (offset + to - 1) / to * to;
}

/* Symbols: the empty one, ENTER, the table, then one a call. */
static void lay_out(struct layout *at, char **names, size_t calls, const char *vendor)
{
    at->calls = calls;
    at->symbol_count = calls + 3;
    at->symbols = sizeof(Elf64_Ehdr) + SEGMENTS * sizeof(Elf64_Phdr);
    at->hash = at->symbols + at->symbol_count * sizeof(Elf64_Sym);
    at->hash_words = 2 + 2 * at->symbol_count;
    at->relocations = aligned(at->hash + at->hash_words * sizeof(uint32_t), 8);
    at->strings = at->relocations + sizeof(Elf64_Rela);
    at->string_bytes = 1 + sizeof ENTER + strlen(at->kind->table) + 1 + strlen(at->kind->library) + 1 + strlen(vendor) + 1;
    for (size_t i = 0; i < calls; i++)
        at->string_bytes += strlen(names[i]) + 1;
    at->read_end = at->strings + at->string_bytes;
    at->code = aligned(at->read_end, PAGE);
    at->code_end = at->code + (calls > 0 ? calls : 1) * FACET_STUB_BYTES;
    at->data = aligned(at->code_end, PAGE);
    at->enter = at->data + DYNAMIC * sizeof(Elf64_Dyn);
    at->table = at->enter + 8;
    at->names = at->table + sizeof(struct facet_unruled_table);
    at->counts = at->names + calls * 8;
    at->functions = at->counts + calls * 8;
    at->data_end = at->functions + calls * 8;
}

static void put_headers(unsigned char *file, const struct layout *at)
{
    Elf64_Ehdr *header = (void *)file;
    memcpy(header->e_ident, ELFMAG, SELFMAG);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_type = ET_DYN;
    header->e_machine = EM_X86_64;
    header->e_version = EV_CURRENT;
    header->e_phoff = sizeof *header;
    header->e_ehsize = sizeof *header;
    header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_phnum = SEGMENTS;
    header->e_shentsize = sizeof(Elf64_Shdr);
    const struct {
        uint32_t type, flags;
        size_t begin, end, alignment;
    } segments[SEGMENTS] = {{PT_LOAD, PF_R, 0, at->read_end, PAGE},
                            {PT_LOAD, PF_R | PF_X, at->code, at->code_end, PAGE},
                            {PT_LOAD, PF_R | PF_W, at->data, at->data_end, PAGE},
                            {PT_DYNAMIC, PF_R | PF_W, at->data, at->enter, 8},
                            {PT_GNU_STACK, PF_R | PF_W, 0, 0, 16}};
    Elf64_Phdr *each = (void *)(file + sizeof *header);
    for (int i = 0; i < SEGMENTS; i++, each++) {
        size_t bytes = segments[i].end - segments[i].begin;
        *each = (Elf64_Phdr){.p_type = segments[i].type,
                             .p_flags = segments[i].flags,
                             .p_offset = segments[i].begin,
                             .p_vaddr = segments[i].begin,
                             .p_paddr = segments[i].begin,
                             .p_filesz = bytes,
                             .p_memsz = bytes,
                             .p_align = segments[i].alignment};
    }
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        uint32_t high = hash & 0xf0000000u;
        hash = (hash ^ high >> 24) & ~high;
    }
    return hash;
}

/* Adds a string, returns where it is among them. */
static uint32_t put_string(unsigned char *file, const struct layout *at, size_t *used, const char *text)
{
    uint32_t place = (uint32_t)*used;
    size_t bytes = strlen(text) + 1;
    memcpy(file + at->strings + *used, text, bytes);
    *used += bytes;
    return place;
}

/* As many chains as symbols: names are few, and looked up once. */
static void put_symbol(unsigned char *file, const struct layout *at, uint32_t number, uint32_t name, Elf64_Sym symbol)
{
    uint32_t *hash = (void *)(file + at->hash);
    uint32_t *buckets = hash + 2, *chains = buckets + at->symbol_count;
    symbol.st_name = name;
    ((Elf64_Sym *)(void *)(file + at->symbols))[number] = symbol;
    uint32_t bucket = hash_of((const char *)file + at->strings + name) % (uint32_t)at->symbol_count;
    chains[number] = buckets[bucket];
    buckets[bucket] = number;
}

static void put_entry(unsigned char *file, const struct layout *at, size_t number)
{
    size_t place = at->code + number * FACET_STUB_BYTES;
    unsigned char *code = file + place;
    static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    memcpy(code, endbr, 4);
    code[4] = 0x41; /* mov $number, %r11d */
    code[5] = 0xbb;
    uint32_t value = (uint32_t)number;
    memcpy(code + 6, &value, 4);
    code[10] = 0xff; /* jmp *enter(%rip) */
    code[11] = 0x25;
    int32_t distance = (int32_t)((int64_t)at->enter - (int64_t)(place + FACET_STUB_BYTES));
    memcpy(code + 12, &distance, 4);
}

static void put_dynamic(unsigned char *file, const struct layout *at, uint32_t soname, uint32_t vendor)
{
    const Elf64_Dyn entries[DYNAMIC] = {{DT_NEEDED, {vendor}},
                                        {DT_SONAME, {soname}},
                                        {DT_HASH, {at->hash}},
                                        {DT_STRTAB, {at->strings}},
                                        {DT_SYMTAB, {at->symbols}},
                                        {DT_STRSZ, {at->string_bytes}},
                                        {DT_SYMENT, {sizeof(Elf64_Sym)}},
                                        {DT_RELA, {at->relocations}},
                                        {DT_RELASZ, {sizeof(Elf64_Rela)}},
                                        {DT_RELAENT, {sizeof(Elf64_Rela)}},
                                        {DT_NULL, {0}}};
    memcpy(file + at->data, entries, sizeof entries);
    *(Elf64_Rela *)(void *)(file + at->relocations) = (Elf64_Rela){.r_offset = at->enter, .r_info = ELF64_R_INFO(1, R_X86_64_GLOB_DAT)};
}

static void fill(unsigned char *file, const struct layout *at, char **names, const char *vendor)
{
    size_t used = 1;
    put_headers(file, at);
    uint32_t *hash = (void *)(file + at->hash);
    hash[0] = hash[1] = (uint32_t)at->symbol_count;
    const unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    /* Any section but none: there are none to name. */
    const Elf64_Half defined = 1;
    put_symbol(file, at, 1, put_string(file, at, &used, ENTER), (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC)});
    put_symbol(
        file, at, 2, put_string(file, at, &used, at->kind->table),
        (Elf64_Sym){
            .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), .st_shndx = defined, .st_value = at->table, .st_size = at->data_end - at->table});
    uint64_t *name_places = (void *)(file + at->names);
    for (size_t i = 0; i < at->calls; i++) {
        uint32_t name = put_string(file, at, &used, names[i]);
        put_symbol(file, at, (uint32_t)i + 3, name,
                   (Elf64_Sym){.st_info = function, .st_shndx = defined, .st_value = at->code + i * FACET_STUB_BYTES, .st_size = FACET_STUB_BYTES});
        put_entry(file, at, i);
        name_places[i] = at->strings + name - at->table;
    }
    uint32_t soname = put_string(file, at, &used, at->kind->library);
    uint32_t path = put_string(file, at, &used, vendor);
    put_dynamic(file, at, soname, path);
    int64_t table = (int64_t)at->table;
    *(struct facet_unruled_table *)(void *)(file + at->table) = (struct facet_unruled_table){
        .magic = FACET_UNRULED_MAGIC,
        .count = at->calls,
        .vendor = (int64_t)(at->strings + path) - table,
        .names = (int64_t)at->names - table,
        .entries = (int64_t)at->code - table,
        .counts = (int64_t)at->counts - table,
        .functions = (int64_t)at->functions - table,
    };
}

/* Under another name first: a program that starts meanwhile sees the old file or the new one. */
static bool store(const unsigned char *file, size_t length, const char *path, char *why, size_t bytes)
{
    char *temporary = NULL;
    bool done = asprintf(&temporary, "%s.XXXXXX", path) >= 0;
    int descriptor = done ? mkstemp(temporary) : -1;
    done = descriptor >= 0;
    for (size_t at = 0; done && at < length;) {
        ssize_t written = write(descriptor, file + at, length - at);
        done = written > 0 || (written < 0 && errno == EINTR);
        at += written > 0 ? (size_t)written : 0;
    }
    done = done && fchmod(descriptor, 0755) == 0 && rename(temporary, path) == 0;
    if (!done)
        snprintf(why, bytes, "%s cannot be written: %s", path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    if (!done && descriptor >= 0)
        unlink(temporary);
    free(temporary);
    return done;
}

static int by_name(const void *wanted, const void *each)
{
    return strcmp(wanted, *(const char *const *)each);
}

const struct facet_stubs_kind facet_stubs_driver = {FACET_UNRULED_LIBRARY, "facet_unruled_table", true};
const struct facet_stubs_kind facet_stubs_management = {FACET_MANAGEMENT_LIBRARY, "facet_management_table", false};

bool facet_stubs_write(const struct facet_stubs_kind *kind, const char *vendor, const char *named, const char *const *known, size_t known_count,
                       const char *path, char *why, size_t bytes)
{
#ifndef __x86_64__
    snprintf(why, bytes, "the direct engine is for x86-64 alone so far; use --engine forwarded");
    return false;
#endif
    struct facet_symbols symbols;
    if (!facet_symbols_read(vendor, &symbols, why, bytes))
        return false;
    char **unknown = calloc(symbols.count + 1, sizeof *unknown);
    size_t count = 0;
    for (size_t i = 0; unknown != NULL && i < symbols.count; i++) {
        bool twice = i > 0 && strcmp(symbols.names[i], symbols.names[i - 1]) == 0;
        if (kind->counts && !twice && bsearch(symbols.names[i], known, known_count, sizeof *known, by_name) == NULL)
            unknown[count++] = symbols.names[i];
    }
    struct layout at = {.kind = kind};
    unsigned char *file = NULL;
    if (unknown != NULL) {
        lay_out(&at, unknown, count, named);
        file = calloc(1, at.data_end);
    }
    bool done = file != NULL;
    if (done) {
        fill(file, &at, unknown, named);
        done = store(file, at.data_end, path, why, bytes);
    } else {
        snprintf(why, bytes, "there is no memory for the entries of %s", vendor);
    }
    free(file);
    free(unknown);
    facet_symbols_free(&symbols);
    return done;
}
