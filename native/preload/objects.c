/* The objects of the process: the program, its libraries, and what it loads later. */
#include "objects.h"

#include <stdatomic.h>
#include <string.h>

#include "compilers/compilers.h"
#include "redirect.h"
#include "say.h"

static void tell_once(const char *name, const char *problem)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told))
        facet_preload_say("%s %s", name, problem);
}

/* What is in memory must be what is in the file: its headers say so. */
static bool is_file(const struct facet_elf *elf, uintptr_t difference)
{
    const ElfW(Ehdr) *header = (const void *)elf->bytes;
    if (header->e_phoff > elf->size || header->e_phnum * sizeof(ElfW(Phdr)) > elf->size - header->e_phoff)
        return false;
    const ElfW(Phdr) *segments = (const void *)(elf->bytes + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0 && segments[i].p_filesz >= sizeof *header)
            return memcmp((const void *)(difference + segments[i].p_vaddr), header, sizeof *header) == 0;
    }
    return false;
}

static void look(const struct facet_elf *elf, bool program, const char *name, uintptr_t difference)
{
    int left = 0;
    if (facet_compiler_is(elf)) {
        if (is_file(elf, difference))
            facet_compiler_loaded(elf, difference);
        return;
    }
    enum facet_static_runtime version = facet_static_runtime(elf);
    switch (version) {
    case FACET_NO_RUNTIME:
        return;
    case FACET_RUNTIME_STRIPPED:
        /* A library may never be called; the driver tells it when it is. */
        if (!program)
            return;
        tell_once(name,
                  "has the CUDA runtime linked in and is stripped, so its calls cannot be led to this device; "
                  "link with 'nvcc -cudart shared', or do not strip it");
        return;
    case FACET_RUNTIME_12:
    case FACET_RUNTIME_13:
        if (!is_file(elf, difference))
            tell_once(name, "has changed since it was loaded, so the CUDA runtime in it cannot be replaced; start the program again");
        else if (facet_redirect(elf, difference, version, &left) < 0)
            tell_once(name, "has the CUDA runtime linked in, which cannot be replaced on this system; link with 'nvcc -cudart shared'");
        else if (left > 0)
            tell_once(name, "has a CUDA runtime linked in that is only partly known; link with 'nvcc -cudart shared'");
        return;
    }
}

void facet_object_loaded(const char *path, const char *name, uintptr_t difference)
{
    struct facet_elf elf;
    if (!facet_elf_open(path, &elf))
        return;
    look(&elf, strcmp(path, FACET_PROGRAM) == 0, name, difference);
    facet_elf_close(&elf);
}
