/* NVRTC, the compiler for CUDA C++ as a library. It keeps the PTX beside the machine code that it makes of it. */
#include <stdlib.h>
#include <string.h>

#include "compilers.h"
#include "exports.h"

enum { PTX_SIZE, PTX, CUBIN_SIZE, CUBIN, FUNCTIONS };

static struct facet_export_hook versions[FACET_COMPILER_VERSIONS][FUNCTIONS];

static void *carried(const struct facet_export_hook *hooks, void *program, size_t *bytes)
{
    size_t cubin_bytes;
    size_t ptx_bytes;
    void *whole = NULL;
    char *cubin = facet_compiled(&hooks[CUBIN_SIZE], program, &cubin_bytes);
    char *ptx = cubin == NULL ? NULL : facet_compiled(&hooks[PTX_SIZE], program, &ptx_bytes);
    if (ptx != NULL)
        whole = facet_carry(cubin, cubin_bytes, ptx, ptx_bytes, bytes);
    free(cubin);
    free(ptx);
    return whole;
}

/* A function does not know from which library it was taken, so each version has its own. */
#define VERSION(number)                                                                   \
    static int cubin_size_##number(void *program, size_t *bytes)                          \
    {                                                                                     \
        return facet_carried_size(versions[number], CUBIN_SIZE, carried, program, bytes); \
    }                                                                                     \
    static int cubin_##number(void *program, void *data)                                  \
    {                                                                                     \
        return facet_carried_data(versions[number], CUBIN, carried, program, data);       \
    }
VERSION(0)
VERSION(1)
VERSION(2)
VERSION(3)

#define HOOKS(number)                                                                    \
    {                                                                                    \
        [PTX_SIZE] = {"nvrtcGetPTXSize", NULL, NULL},                                    \
        [PTX] = {"nvrtcGetPTX", NULL, NULL},                                             \
        [CUBIN_SIZE] = {"nvrtcGetCUBINSize", (facet_function)cubin_size_##number, NULL}, \
        [CUBIN] = {"nvrtcGetCUBIN", (facet_function)cubin_##number, NULL},               \
    }

void facet_nvrtc_loaded(const struct facet_elf *elf, uintptr_t difference)
{
    static unsigned used; /* the dynamic linker's lock is held */
    static const struct facet_export_hook OURS[FACET_COMPILER_VERSIONS][FUNCTIONS] = {HOOKS(0), HOOKS(1), HOOKS(2), HOOKS(3)};
    if (used == FACET_COMPILER_VERSIONS)
        return;
    memcpy(versions[used], OURS[used], sizeof OURS[used]);
    if (facet_hook_exports(elf, difference, versions[used], FUNCTIONS))
        used++;
}
