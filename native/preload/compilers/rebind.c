#include "rebind.h"

#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 64 };

static struct {
    facet_function theirs;
    facet_function ours;
} noted[MOST];
static unsigned noted_count; /* the dynamic linker's lock is held, or there is one thread */

void facet_rebind_note(facet_function theirs, facet_function ours)
{
    if (noted_count < MOST) {
        noted[noted_count].theirs = theirs;
        noted[noted_count++].ours = ours;
    }
}

/* What the linker protected after it had filled it in. */
struct span {
    uintptr_t from;
    uintptr_t to;
};

static void write_slot(facet_function *slot, facet_function value, struct span hidden)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t place = (uintptr_t)slot;
    void *start = (void *)(place & ~(page - 1));
    bool readable = place >= hidden.from && place < hidden.to;
    if (readable && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *slot = value;
    if (readable)
        mprotect(start, page, PROT_READ);
}

static void rebind(const ElfW(Rela) *relocations, size_t bytes, uintptr_t difference, struct span hidden)
{
    for (size_t i = 0; i < bytes / sizeof *relocations; i++) {
        unsigned type = (unsigned)ELF64_R_TYPE(relocations[i].r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
            continue;
        facet_function *slot = (facet_function *)(difference + relocations[i].r_offset);
        for (unsigned k = 0; k < noted_count; k++) {
            if (*slot == noted[k].theirs)
                write_slot(slot, noted[k].ours, hidden);
        }
    }
}

/* The linker has made addresses of what it uses itself; the kernel's object has offsets still. */
static uintptr_t address_of(uintptr_t value, uintptr_t difference)
{
    return value < difference ? value + difference : value;
}

static int visit(struct dl_phdr_info *info, size_t bytes, void *data)
{
    (void)bytes;
    (void)data;
    const ElfW(Dyn) *dynamic = NULL;
    struct span hidden = {0, 0};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *each = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + each->p_vaddr;
        if (each->p_type == PT_DYNAMIC)
            dynamic = (const void *)start;
        else if (each->p_type == PT_GNU_RELRO)
            hidden = (struct span){start, start + each->p_memsz};
    }
    uintptr_t tables[2] = {0};
    size_t sizes[2] = {0};
    for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_JMPREL:
            tables[0] = dynamic->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            sizes[0] = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            tables[1] = dynamic->d_un.d_ptr;
            break;
        case DT_RELASZ:
            sizes[1] = dynamic->d_un.d_val;
            break;
        default:
            break;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (tables[i] != 0)
            rebind((const void *)address_of(tables[i], info->dlpi_addr), sizes[i], info->dlpi_addr, hidden);
    }
    return 0;
}

void facet_rebind_all(void)
{
    if (noted_count > 0)
        dl_iterate_phdr(visit, NULL);
}
