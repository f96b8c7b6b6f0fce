/* Reads the dynamic symbols of a library from its file. The file is a stranger's: every offset is checked. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stubs.h"

struct file {
    const unsigned char *bytes;
    size_t length;
};

static bool inside(const struct file *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->length && bytes <= file->length - offset;
}

static bool tell(char *why, size_t bytes, const char *path, const char *problem)
{
    snprintf(why, bytes, "%s %s", path, problem);
    return false;
}

/* Where in the file an address is that is mapped from it. */
static bool located(const struct file *file, const Elf64_Ehdr *header, uint64_t address, uint64_t bytes, uint64_t *offset)
{
    const Elf64_Phdr *segments = (const void *)(file->bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *each = &segments[i];
        if (each->p_type == PT_LOAD && address >= each->p_vaddr && address - each->p_vaddr <= each->p_filesz &&
            bytes <= each->p_filesz - (address - each->p_vaddr)) {
            *offset = each->p_offset + (address - each->p_vaddr);
            return inside(file, *offset, bytes);
        }
    }
    return false;
}

/* The section of dynamic symbols: stripped libraries keep it, since without it nobody could link them. */
static const Elf64_Shdr *symbol_section(const struct file *file, const Elf64_Ehdr *header)
{
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !inside(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return NULL;
    const Elf64_Shdr *sections = (const void *)(file->bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < header->e_shnum && sections[i].sh_offset % 8 == 0 &&
            inside(file, sections[i].sh_offset, sections[i].sh_size) &&
            inside(file, sections[sections[i].sh_link].sh_offset, sections[sections[i].sh_link].sh_size))
            return &sections[i];
    return NULL;
}

struct table {
    const Elf64_Sym *symbols;
    uint64_t count;
    const char *strings;
    uint64_t string_bytes;
};

/* A library without sections: its symbols are counted by its hash table. */
static bool from_segments(const struct file *file, const Elf64_Ehdr *header, struct table *table)
{
    const Elf64_Phdr *segments = (const void *)(file->bytes + header->e_phoff);
    uint64_t symbols = 0, strings = 0, string_bytes = 0, hash = 0, at;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_DYNAMIC || segments[i].p_offset % 8 != 0 || !inside(file, segments[i].p_offset, segments[i].p_filesz))
            continue;
        const Elf64_Dyn *entry = (const void *)(file->bytes + segments[i].p_offset);
        for (size_t left = segments[i].p_filesz / sizeof *entry; left > 0 && entry->d_tag != DT_NULL; left--, entry++) {
            if (entry->d_tag == DT_SYMTAB)
                symbols = entry->d_un.d_ptr;
            else if (entry->d_tag == DT_STRTAB)
                strings = entry->d_un.d_ptr;
            else if (entry->d_tag == DT_STRSZ)
                string_bytes = entry->d_un.d_val;
            else if (entry->d_tag == DT_HASH)
                hash = entry->d_un.d_ptr;
        }
    }
    if (hash == 0 || !located(file, header, hash, 8, &at) || at % 4 != 0)
        return false;
    table->count = ((const uint32_t *)(const void *)(file->bytes + at))[1];
    if (!located(file, header, symbols, table->count * sizeof(Elf64_Sym), &at) || at % 8 != 0)
        return false;
    table->symbols = (const void *)(file->bytes + at);
    if (!located(file, header, strings, string_bytes, &at))
        return false;
    table->strings = (const char *)file->bytes + at;
    table->string_bytes = string_bytes;
    return true;
}

static bool find_table(const struct file *file, struct table *table)
{
    const Elf64_Ehdr *header = (const void *)file->bytes;
    if (file->length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_type != ET_DYN || header->e_phentsize != sizeof(Elf64_Phdr) ||
        header->e_phoff % 8 != 0 || !inside(file, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr)))
        return false;
    const Elf64_Shdr *section = symbol_section(file, header);
    if (section == NULL)
        return from_segments(file, header, table);
    const Elf64_Shdr *strings = (const Elf64_Shdr *)(const void *)(file->bytes + header->e_shoff) + section->sh_link;
    *table = (struct table){.symbols = (const void *)(file->bytes + section->sh_offset),
                            .count = section->sh_size / sizeof(Elf64_Sym),
                            .strings = (const char *)file->bytes + strings->sh_offset,
                            .string_bytes = strings->sh_size};
    return true;
}

static bool is_exported_function(const Elf64_Sym *symbol)
{
    int kind = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info), seen = ELF64_ST_VISIBILITY(symbol->st_other);
    return symbol->st_shndx != SHN_UNDEF && (kind == STT_FUNC || kind == STT_GNU_IFUNC) && (binding == STB_GLOBAL || binding == STB_WEAK) &&
           (seen == STV_DEFAULT || seen == STV_PROTECTED);
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool collect(const struct table *table, struct facet_symbols *symbols)
{
    if (table->string_bytes == 0 || table->strings[table->string_bytes - 1] != 0)
        return false;
    symbols->names = calloc(table->count + 1, sizeof *symbols->names);
    for (uint64_t i = 0; symbols->names != NULL && i < table->count; i++) {
        const Elf64_Sym *each = &table->symbols[i];
        if (!is_exported_function(each) || each->st_name == 0 || each->st_name >= table->string_bytes)
            continue;
        char *name = strdup(table->strings + each->st_name);
        if (name == NULL)
            return false;
        symbols->names[symbols->count++] = name;
    }
    if (symbols->names == NULL)
        return false;
    qsort(symbols->names, symbols->count, sizeof *symbols->names, by_name);
    return true;
}

bool facet_symbols_read(const char *path, struct facet_symbols *symbols, char *why, size_t bytes)
{
    *symbols = (struct facet_symbols){0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        snprintf(why, bytes, "%s cannot be read: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    void *mapped = status.st_size > 0 ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (mapped == MAP_FAILED)
        return tell(why, bytes, path, "is empty or cannot be mapped");
    struct file file = {.bytes = mapped, .length = (size_t)status.st_size};
    struct table table;
    bool done = find_table(&file, &table) && collect(&table, symbols);
    munmap(mapped, file.length);
    if (!done)
        facet_symbols_free(symbols);
    return done || tell(why, bytes, path, "is no library for 64-bit programs of this machine");
}

void facet_symbols_free(struct facet_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        free(symbols->names[i]);
    free(symbols->names);
    *symbols = (struct facet_symbols){0};
}
