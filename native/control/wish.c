#include "wish.h"

#include <stddef.h>
#include <string.h>

/* Beginnings of the names that the daemon knows; docs/containers.md lists them. */
static const char *const NAMES[] = {
    "\"FACET_", "\"dev.facet.", "\"facet.dev/", "\"CUDA_DEVICE_MEMORY_LIMIT", "\"CUDA_DEVICE_SM_LIMIT", "\"ALIYUN_COM_GPU_MEM", "\"GPU_MEMORY_LIMIT",
};

bool facet_wish_possible(const char *config)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strstr(config, NAMES[i]) != NULL) {
            return true;
        }
    }
    return false;
}
