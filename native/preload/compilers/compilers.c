#include "compilers.h"

#include <stdlib.h>
#include <string.h>

#include "cubin.h"

static const struct {
    const char *name;
    void (*loaded)(const struct facet_elf *elf, uintptr_t difference);
} COMPILERS[] = {{"libnvrtc.so.", facet_nvrtc_loaded}, {"libnvJitLink.so.", facet_jit_link_loaded}};
enum { COUNT = sizeof COMPILERS / sizeof *COMPILERS };

static int number_of(const struct facet_elf *elf)
{
    const char *name = facet_elf_soname(elf);
    for (int i = 0; name != NULL && i < COUNT; i++) {
        if (strncmp(name, COMPILERS[i].name, strlen(COMPILERS[i].name)) == 0)
            return i;
    }
    return -1;
}

bool facet_compiler_is(const struct facet_elf *elf)
{
    return number_of(elf) >= 0;
}

void facet_compiler_loaded(const struct facet_elf *elf, uintptr_t difference)
{
    COMPILERS[number_of(elf)].loaded(elf, difference);
}

void *facet_carry(const void *cubin, size_t bytes, const void *origin, size_t origin_bytes, size_t *carried_bytes)
{
    *carried_bytes = facet_cubin_with_bytes(cubin, bytes, origin_bytes);
    void *carried = *carried_bytes == 0 ? NULL : malloc(*carried_bytes);
    if (carried != NULL)
        facet_cubin_with(carried, cubin, bytes, origin, origin_bytes);
    return carried;
}
