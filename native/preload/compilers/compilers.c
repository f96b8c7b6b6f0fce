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

typedef int (*size_function)(void *handle, size_t *bytes);
typedef int (*data_function)(void *handle, void *data);

void *facet_compiled(const struct facet_export_hook size_and_data[2], void *handle, size_t *bytes)
{
    *bytes = 0;
    if (((size_function)size_and_data[0].theirs)(handle, bytes) != 0 || *bytes <= 1)
        return NULL;
    char *data = *bytes == SIZE_MAX ? NULL : calloc(1, *bytes + 1);
    if (data == NULL || ((data_function)size_and_data[1].theirs)(handle, data) == 0)
        return data;
    free(data);
    return NULL;
}

int facet_carried_size(const struct facet_export_hook *hooks, unsigned size, facet_carried *carried, void *handle, size_t *bytes)
{
    int result = ((size_function)hooks[size].theirs)(handle, bytes);
    size_t more;
    void *whole = result != 0 || *bytes == 0 ? NULL : carried(hooks, handle, &more);
    if (whole != NULL)
        *bytes = more;
    free(whole);
    return result;
}

int facet_carried_data(const struct facet_export_hook *hooks, unsigned data, facet_carried *carried, void *handle, void *place)
{
    size_t bytes;
    void *whole = place == NULL ? NULL : carried(hooks, handle, &bytes);
    if (whole == NULL)
        return ((data_function)hooks[data].theirs)(handle, place);
    memcpy(place, whole, bytes);
    free(whole);
    return 0;
}
