/* libfacet-cudart.so: our runtime, for the preload library to find its functions by name. */
#include <string.h>

#include "facet_cudart.h"

static cudaError_t not_known(void)
{
    return facet_cudart_unsupported("a function that is newer than this library");
}

/* The function of a version of the API; one that refuses when the name is not known. */
__attribute__((visibility("default"))) void (*facet_cudart_function(const char *name, int version))(void)
{
    const struct facet_cudart_redirect *redirects = version == 12 ? facet_cudart_redirects_12 : facet_cudart_redirects_13;
    size_t low = 0;
    size_t high = version == 12 ? facet_cudart_redirect_count_12 : facet_cudart_redirect_count_13;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(redirects[middle].name, name);
        if (order == 0)
            return redirects[middle].function;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (void (*)(void))not_known;
}
