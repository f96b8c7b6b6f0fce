/* NVRTC, the compiler for CUDA C++ as a library. It keeps the PTX beside the machine code that it makes of it. */
#include <stdlib.h>
#include <string.h>

#include "compilers.h"
#include "exports.h"

enum { PTX_SIZE, PTX, CUBIN_SIZE, CUBIN, FUNCTIONS };

typedef int (*size_function)(void *program, size_t *bytes);
typedef int (*data_function)(void *program, char *data);

struct version {
    struct facet_export_hook hooks[FUNCTIONS];
};

static struct version versions[FACET_COMPILER_VERSIONS];

/* Bytes by one pair of functions; NULL: there are none, or no memory. */
static char *get(const struct version *version, int size, void *program, size_t *bytes)
{
    *bytes = 0;
    if (((size_function)version->hooks[size].theirs)(program, bytes) != 0 || *bytes <= 1)
        return NULL;
    char *data = malloc(*bytes);
    if (data == NULL || ((data_function)version->hooks[size + 1].theirs)(program, data) == 0)
        return data;
    free(data);
    return NULL;
}

static void *carried(const struct version *version, void *program, size_t *bytes)
{
    size_t cubin_bytes;
    size_t ptx_bytes;
    void *whole = NULL;
    char *cubin = get(version, CUBIN_SIZE, program, &cubin_bytes);
    char *ptx = cubin == NULL ? NULL : get(version, PTX_SIZE, program, &ptx_bytes);
    if (ptx != NULL)
        whole = facet_carry(cubin, cubin_bytes, ptx, ptx_bytes, bytes);
    free(cubin);
    free(ptx);
    return whole;
}

static int cubin_size(const struct version *version, void *program, size_t *bytes)
{
    int result = ((size_function)version->hooks[CUBIN_SIZE].theirs)(program, bytes);
    size_t more;
    void *whole = result != 0 || *bytes == 0 ? NULL : carried(version, program, &more);
    if (whole != NULL)
        *bytes = more;
    free(whole);
    return result;
}

static int cubin(const struct version *version, void *program, char *data)
{
    size_t bytes;
    void *whole = data == NULL ? NULL : carried(version, program, &bytes);
    if (whole == NULL)
        return ((data_function)version->hooks[CUBIN].theirs)(program, data);
    memcpy(data, whole, bytes);
    free(whole);
    return 0;
}

/* A function does not know from which library it was taken, so each version has its own. */
#define VERSION(number)                                          \
    static int cubin_size_##number(void *program, size_t *bytes) \
    {                                                            \
        return cubin_size(&versions[number], program, bytes);    \
    }                                                            \
    static int cubin_##number(void *program, char *data)         \
    {                                                            \
        return cubin(&versions[number], program, data);          \
    }
VERSION(0)
VERSION(1)
VERSION(2)
VERSION(3)

static const struct {
    size_function size;
    data_function data;
} OURS[FACET_COMPILER_VERSIONS] = {{cubin_size_0, cubin_0}, {cubin_size_1, cubin_1}, {cubin_size_2, cubin_2}, {cubin_size_3, cubin_3}};

void facet_nvrtc_loaded(const struct facet_elf *elf, uintptr_t difference)
{
    static unsigned used; /* the dynamic linker's lock is held */
    if (used == FACET_COMPILER_VERSIONS)
        return;
    struct version version = {{
        [PTX_SIZE] = {"nvrtcGetPTXSize", NULL, NULL},
        [PTX] = {"nvrtcGetPTX", NULL, NULL},
        [CUBIN_SIZE] = {"nvrtcGetCUBINSize", (facet_function)OURS[used].size, NULL},
        [CUBIN] = {"nvrtcGetCUBIN", (facet_function)OURS[used].data, NULL},
    }};
    if (facet_hook_exports(elf, difference, version.hooks, FUNCTIONS))
        versions[used++] = version;
}
