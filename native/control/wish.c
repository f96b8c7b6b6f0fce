#include "wish.h"

#include <stddef.h>
#include <string.h>

/* Beginnings of the names that the daemon knows; docs/containers.md lists them. */
static const char *const NAMES[] = {
    "\"FACET_", "\"dev.facet.", "\"facet.dev/", "\"CUDA_DEVICE_MEMORY_LIMIT", "\"CUDA_DEVICE_SM_LIMIT", "\"ALIYUN_COM_GPU_MEM", "\"GPU_MEMORY_LIMIT",
};

/* Whether one of these is in the text. */
static bool has_one(const char *config, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(config, names[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool facet_wish_of_engine(const char *config)
{
    static const char *const ENGINE[] = {"\"FACET_ENGINE", "\"dev.facet.engine", "\"facet.dev/engine"};
    return has_one(config, ENGINE, sizeof ENGINE / sizeof ENGINE[0]);
}

bool facet_wish_possible(const char *config)
{
    return has_one(config, NAMES, sizeof NAMES / sizeof NAMES[0]);
}
