#include "replaced.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST = 64 };

static _Atomic uintptr_t replaced[MOST]; /* written under the dynamic linker's lock, or by the only thread */
static _Atomic unsigned count;
static _Atomic int newest;

void facet_replaced_note(uintptr_t difference, int version)
{
    unsigned next = atomic_load(&count);
    if (next < MOST) {
        atomic_store(&replaced[next], difference);
        atomic_store(&count, next + 1);
    }
    if (version > atomic_load(&newest))
        atomic_store(&newest, version);
}

int facet_replaced_version(const unsigned char *code, size_t bytes)
{
    /* movl $version, (%rdi): what cudaRuntimeGetVersion comes to. In 12.1 to 13.4 it is there once. */
    static const unsigned char instruction[] = {0xc7, 0x07};
    enum { LEAST = 12000, MOST_VERSION = 20000 };
    const unsigned char *at = code, *end = code + bytes;
    int32_t version = 0;
    while ((at = memmem(at, (size_t)(end - at), instruction, sizeof instruction)) != NULL) {
        at += sizeof instruction;
        if ((size_t)(end - at) < sizeof version)
            return 0;
        memcpy(&version, at, sizeof version);
        if (version >= LEAST && version < MOST_VERSION && version % 10 == 0)
            return version;
    }
    return 0;
}

__attribute__((visibility("default"))) int facet_preload_newest_runtime(void)
{
    return atomic_load(&newest);
}

__attribute__((visibility("default"))) bool facet_preload_has_replaced(uintptr_t difference)
{
    bool found = false;
    for (unsigned i = 0; i < atomic_load(&count); i++)
        found |= atomic_load(&replaced[i]) == difference;
    return found;
}
