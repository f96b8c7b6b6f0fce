#include "exports.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rebind.h"

/* The symbols, in the file and in memory. */
struct table {
    struct facet_elf_symbols file;
    const ElfW(Sym) *memory;
    int protection; /* of that memory */
};

static bool same_name(const char *symbol, const char *name)
{
    size_t length = strlen(name);
    if (strcmp(symbol, name) == 0)
        return true;
    bool versioned = symbol[0] == '_' && symbol[1] == '_' && strncmp(symbol + 2, name, length) == 0 && symbol[length + 2] == '_';
    return versioned && symbol[length + 3] >= '0' && symbol[length + 3] <= '9';
}

static int protection_at(const struct facet_elf *elf, uintptr_t address)
{
    const ElfW(Ehdr) *header = (const void *)elf->bytes;
    if (header->e_phoff > elf->size || header->e_phnum * sizeof(ElfW(Phdr)) > elf->size - header->e_phoff)
        return -1;
    const ElfW(Phdr) *segments = (const void *)(elf->bytes + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const ElfW(Phdr) *each = &segments[i];
        if (each->p_type == PT_LOAD && address >= each->p_vaddr && address - each->p_vaddr < each->p_filesz)
            return ((each->p_flags & PF_R) != 0 ? PROT_READ : 0) | ((each->p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
                   ((each->p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    }
    return -1;
}

/* What is in memory must be what is in the file. */
static bool find_table(const struct facet_elf *elf, uintptr_t difference, struct table *table)
{
    if (!facet_elf_symbols(elf, SHT_DYNSYM, &table->file))
        return false;
    for (unsigned i = 0; i < elf->section_count; i++) {
        const ElfW(Shdr) *section = &elf->sections[i];
        if (section->sh_type != SHT_DYNSYM)
            continue;
        table->protection = protection_at(elf, section->sh_addr);
        table->memory = (const void *)(difference + section->sh_addr);
        size_t bytes = table->file.count * sizeof(ElfW(Sym));
        return table->protection >= 0 && protection_at(elf, section->sh_addr + bytes - 1) == table->protection &&
               memcmp(table->memory, table->file.symbols, bytes) == 0;
    }
    return false;
}

static bool is_function(const struct facet_elf *elf, const ElfW(Sym) *symbol)
{
    size_t room;
    return facet_elf_code(elf, symbol, &room) != NULL;
}

static void look_up(const struct facet_elf *elf, const struct table *table, uintptr_t difference, struct facet_export_hook *hook)
{
    hook->theirs = NULL;
    for (size_t i = 0; i < table->file.count; i++) {
        const ElfW(Sym) *symbol = &table->file.symbols[i];
        const char *name = facet_elf_name(&table->file, symbol);
        if (!same_name(name, hook->name) || !is_function(elf, symbol))
            continue;
        hook->theirs = (facet_function)(difference + symbol->st_value);
        if (strcmp(name, hook->name) == 0)
            return;
    }
}

static bool protect(const struct table *table, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)table->memory & ~(page - 1);
    uintptr_t to = ((uintptr_t)(table->memory + table->file.count) + page - 1) & ~(page - 1);
    return mprotect((void *)from, to - from, protection) == 0;
}

bool facet_hook_exports(const struct facet_elf *elf, uintptr_t difference, struct facet_export_hook *hooks, unsigned count)
{
    struct table table;
    if (!find_table(elf, difference, &table))
        return false;
    for (unsigned i = 0; i < count; i++) {
        look_up(elf, &table, difference, &hooks[i]);
        if (hooks[i].theirs == NULL)
            return false;
    }
    if (!protect(&table, table.protection | PROT_WRITE))
        return false;
    for (size_t i = 0; i < table.file.count; i++) {
        const ElfW(Sym) *symbol = &table.file.symbols[i];
        for (unsigned k = 0; k < count; k++) {
            if (hooks[k].ours != NULL && same_name(facet_elf_name(&table.file, symbol), hooks[k].name) && is_function(elf, symbol)) {
                /* The linker adds the difference; what is too much wraps around. */
                ElfW(Sym) *place = (ElfW(Sym) *)(uintptr_t)(table.memory + i);
                place->st_value = (uintptr_t)hooks[k].ours - difference;
                facet_rebind_note((facet_function)(difference + symbol->st_value), hooks[k].ours);
            }
        }
    }
    return protect(&table, table.protection);
}
