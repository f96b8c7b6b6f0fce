#include "elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool inside(const struct facet_elf *elf, size_t offset, size_t bytes)
{
    return offset <= elf->size && bytes <= elf->size - offset;
}

static bool read_header(struct facet_elf *elf)
{
    const ElfW(Ehdr) *header = (const void *)elf->bytes;
    if (!inside(elf, 0, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    if (header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff % _Alignof(ElfW(Shdr)) != 0)
        return false;
    elf->section_count = header->e_shnum;
    if (elf->section_count == 0 || !inside(elf, header->e_shoff, elf->section_count * sizeof(ElfW(Shdr))))
        return false;
    elf->sections = (const void *)(elf->bytes + header->e_shoff);
    return true;
}

bool facet_elf_open(const char *path, struct facet_elf *elf)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    elf->size = regular ? (size_t)status.st_size : 0;
    void *bytes = regular ? mmap(NULL, elf->size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (bytes == MAP_FAILED)
        return false;
    elf->bytes = bytes;
    if (read_header(elf))
        return true;
    facet_elf_close(elf);
    return false;
}

void facet_elf_close(struct facet_elf *elf)
{
    munmap((void *)(uintptr_t)elf->bytes, elf->size);
    *elf = (struct facet_elf){0};
}

/* Data of a section in the file; NULL when it has none there. */
static const unsigned char *data(const struct facet_elf *elf, const ElfW(Shdr) *section)
{
    if (section->sh_type == SHT_NOBITS || !inside(elf, section->sh_offset, section->sh_size))
        return NULL;
    return elf->bytes + section->sh_offset;
}

static bool ends(const unsigned char *names, size_t bytes)
{
    return names != NULL && bytes > 0 && names[bytes - 1] == '\0';
}

const ElfW(Shdr) *facet_elf_section(const struct facet_elf *elf, const char *name)
{
    const ElfW(Ehdr) *header = (const void *)elf->bytes;
    if (header->e_shstrndx >= elf->section_count)
        return NULL;
    const ElfW(Shdr) *names = &elf->sections[header->e_shstrndx];
    const unsigned char *text = data(elf, names);
    if (!ends(text, names->sh_size))
        return NULL;
    for (unsigned i = 0; i < elf->section_count; i++) {
        if (elf->sections[i].sh_name < names->sh_size && strcmp((const char *)text + elf->sections[i].sh_name, name) == 0)
            return &elf->sections[i];
    }
    return NULL;
}

bool facet_elf_symbols(const struct facet_elf *elf, unsigned type, struct facet_elf_symbols *symbols)
{
    for (unsigned i = 0; i < elf->section_count; i++) {
        const ElfW(Shdr) *section = &elf->sections[i];
        if (section->sh_type != type || section->sh_link >= elf->section_count)
            continue;
        const ElfW(Shdr) *names = &elf->sections[section->sh_link];
        const unsigned char *entries = data(elf, section);
        const unsigned char *text = data(elf, names);
        if (entries == NULL || section->sh_offset % _Alignof(ElfW(Sym)) != 0 || !ends(text, names->sh_size))
            return false;
        symbols->symbols = (const void *)entries;
        symbols->count = section->sh_size / sizeof(ElfW(Sym));
        symbols->names = (const char *)text;
        symbols->name_bytes = names->sh_size;
        return true;
    }
    return false;
}

const char *facet_elf_soname(const struct facet_elf *elf)
{
    for (unsigned i = 0; i < elf->section_count; i++) {
        const ElfW(Shdr) *section = &elf->sections[i];
        if (section->sh_type != SHT_DYNAMIC || section->sh_link >= elf->section_count)
            continue;
        const ElfW(Shdr) *names = &elf->sections[section->sh_link];
        const ElfW(Dyn) *entries = (const void *)data(elf, section);
        const unsigned char *text = data(elf, names);
        if (entries == NULL || section->sh_offset % _Alignof(ElfW(Dyn)) != 0 || !ends(text, names->sh_size))
            return NULL;
        for (size_t k = 0; k < section->sh_size / sizeof *entries; k++) {
            if (entries[k].d_tag == DT_SONAME && entries[k].d_un.d_val < names->sh_size)
                return (const char *)text + entries[k].d_un.d_val;
        }
    }
    return NULL;
}

const char *facet_elf_name(const struct facet_elf_symbols *symbols, const ElfW(Sym) *symbol)
{
    return symbol->st_name < symbols->name_bytes ? symbols->names + symbol->st_name : "";
}

const unsigned char *facet_elf_code(const struct facet_elf *elf, const ElfW(Sym) *symbol, size_t *room)
{
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= elf->section_count)
        return NULL;
    const ElfW(Shdr) *section = &elf->sections[symbol->st_shndx];
    const unsigned char *code = data(elf, section);
    if (code == NULL || (section->sh_flags & SHF_EXECINSTR) == 0 || symbol->st_value < section->sh_addr ||
        symbol->st_value - section->sh_addr >= section->sh_size)
        return NULL;
    *room = section->sh_size - (symbol->st_value - section->sh_addr);
    return code + (symbol->st_value - section->sh_addr);
}
