/* Reads ELF files of this machine's kind: sections and symbols. Trusts nothing in the file. */
#ifndef FACET_ELF_FILE_H
#define FACET_ELF_FILE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

struct facet_elf {
    const unsigned char *bytes;
    size_t size;
    const ElfW(Shdr) *sections;
    unsigned section_count;
};

struct facet_elf_symbols {
    const ElfW(Sym) *symbols;
    size_t count;
    const char *names;
    size_t name_bytes;
};

/* False when it cannot be read or is no ELF file with sections. */
bool facet_elf_open(const char *path, struct facet_elf *elf);
void facet_elf_close(struct facet_elf *elf);
const ElfW(Shdr) *facet_elf_section(const struct facet_elf *elf, const char *name);
/* type: SHT_SYMTAB or SHT_DYNSYM. False when there are none. */
bool facet_elf_symbols(const struct facet_elf *elf, unsigned type, struct facet_elf_symbols *symbols);
/* The name that others load the file by, or NULL. */
const char *facet_elf_soname(const struct facet_elf *elf);
/* Never NULL; empty when it lies outside of the names. */
const char *facet_elf_name(const struct facet_elf_symbols *symbols, const ElfW(Sym) *symbol);
/* The code of a function that the file defines, or NULL; *room is how much of its section follows. */
const unsigned char *facet_elf_code(const struct facet_elf *elf, const ElfW(Sym) *symbol, size_t *room);

#endif
