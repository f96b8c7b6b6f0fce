/*   header | sections, segments, as they were | origin | table of sections, with one more at its end
 *
 * The table that was there stays where it is, unused. */
#include "cubin.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 16 };

/* Types from SHT_LOUSER on belong to programs. */
static const uint32_t ORIGIN = 0x8FACE701;

bool facet_cubin_is(const void *data, size_t bytes)
{
    return bytes >= sizeof(Elf64_Ehdr) && memcmp(data, ELFMAG, SELFMAG) == 0;
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* Where a table ends; SIZE_MAX when it cannot be. */
static size_t end_of(uint64_t offset, size_t each, size_t count)
{
    return offset > SIZE_MAX / 2 ? SIZE_MAX : (size_t)offset + each * count;
}

static bool read_header(const void *cubin, Elf64_Ehdr *header)
{
    memcpy(header, cubin, sizeof *header);
    bool wide = header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
    return wide && (header->e_shnum == 0 || header->e_shentsize == sizeof(Elf64_Shdr));
}

/* The section table and the program headers come last. */
size_t facet_cubin_bytes(const void *cubin)
{
    Elf64_Ehdr header;
    if (!read_header(cubin, &header))
        return 0;
    size_t sections = end_of(header.e_shoff, sizeof(Elf64_Shdr), header.e_shnum);
    size_t segments = end_of(header.e_phoff, header.e_phentsize, header.e_phnum);
    size_t last = sections > segments ? sections : segments;
    return last == SIZE_MAX ? 0 : last > sizeof header ? last : sizeof header;
}

const void *facet_cubin_origin(const void *cubin, size_t bytes, size_t *origin_bytes)
{
    Elf64_Ehdr header;
    size_t whole = facet_cubin_bytes(cubin);
    if (whole == 0 || (bytes != 0 && whole > bytes) || !read_header(cubin, &header) || header.e_shnum == 0)
        return NULL;
    /* Ours is the last one. */
    Elf64_Shdr section;
    memcpy(&section, (const char *)cubin + header.e_shoff + (header.e_shnum - 1) * sizeof section, sizeof section);
    if (section.sh_type != ORIGIN || section.sh_size == 0 || section.sh_offset > whole || section.sh_size > whole - section.sh_offset)
        return NULL;
    *origin_bytes = section.sh_size;
    return (const char *)cubin + section.sh_offset;
}

static const char *text_at(const void *cubin, size_t whole, uint64_t offset)
{
    return offset < whole && memchr((const char *)cubin + offset, 0, whole - offset) != NULL ? (const char *)cubin + offset : "";
}

/* Each has a section .text.NAME. */
void facet_cubin_kernel(const void *cubin, size_t bytes, char *name, size_t room)
{
    static const char prefix[] = ".text.";
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    *name = 0;
    if (bytes != 0 && !facet_cubin_is(cubin, bytes))
        return;
    size_t whole = facet_cubin_bytes(cubin);
    if (whole == 0 || (bytes != 0 && whole > bytes) || !read_header(cubin, &header) || header.e_shstrndx >= header.e_shnum)
        return;
    const char *table = (const char *)cubin + header.e_shoff;
    memcpy(&names, table + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 0; i < header.e_shnum && *name == 0; i++) {
        memcpy(&section, table + i * sizeof section, sizeof section);
        const char *text = names.sh_offset < whole ? text_at(cubin, whole, names.sh_offset + section.sh_name) : "";
        if (strncmp(text, prefix, sizeof prefix - 1) == 0 && strlen(text + sizeof prefix - 1) < room)
            strcpy(name, text + sizeof prefix - 1);
    }
}

size_t facet_cubin_with_bytes(const void *cubin, size_t bytes, size_t origin_bytes)
{
    Elf64_Ehdr header;
    if (!facet_cubin_is(cubin, bytes) || !read_header(cubin, &header) || header.e_shnum == 0 || header.e_shnum >= SHN_LORESERVE - 1)
        return 0;
    size_t whole = facet_cubin_bytes(cubin);
    if (whole == 0 || whole > bytes || bytes > SIZE_MAX / 4 || origin_bytes > SIZE_MAX / 4)
        return 0;
    return aligned(bytes) + aligned(origin_bytes) + (header.e_shnum + 1u) * sizeof(Elf64_Shdr);
}

void facet_cubin_with(void *place, const void *cubin, size_t bytes, const void *origin, size_t origin_bytes)
{
    unsigned char *to = place;
    Elf64_Ehdr header;
    memset(to, 0, facet_cubin_with_bytes(cubin, bytes, origin_bytes));
    memcpy(to, cubin, bytes);
    memcpy(to + aligned(bytes), origin, origin_bytes);
    read_header(cubin, &header);
    unsigned char *table = to + aligned(bytes) + aligned(origin_bytes);
    memcpy(table, (const char *)cubin + header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
    Elf64_Shdr section = {.sh_type = ORIGIN, .sh_offset = aligned(bytes), .sh_size = origin_bytes, .sh_addralign = ALIGNMENT};
    memcpy(table + header.e_shnum * sizeof section, &section, sizeof section);
    header.e_shoff = (Elf64_Off)(table - to);
    header.e_shnum++;
    memcpy(to, &header, sizeof header);
}
