/* libfacet-preload.so: for programs that have the CUDA runtime linked in, nvcc's default.
 *
 * Loaded into every program of a slice by LD_PRELOAD. Its constructor runs before all others (-z initfirst), because
 * the constructors of CUDA programs call the runtime. For programs without such a runtime it costs some
 * ten microseconds an object and does nothing. */
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "compilers/compilers.h"
#include "compilers/rebind.h"
#include "later.h"
#include "objects.h"

static int visit(struct dl_phdr_info *info, size_t bytes, void *data)
{
    (void)bytes;
    bool *first = data;
    /* The program itself has no name and comes first; the kernel's object has none that is a path. */
    if (*first)
        facet_object_loaded(FACET_PROGRAM, (const char *)getauxval(AT_EXECFN), info->dlpi_addr);
    else if (info->dlpi_name != NULL && strchr(info->dlpi_name, '/') != NULL)
        facet_object_loaded(info->dlpi_name, info->dlpi_name, info->dlpi_addr);
    *first = false;
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    bool first = true;
    dl_iterate_phdr(visit, &first);
    facet_rebind_all();
    facet_watch_loads();
    facet_assembler_started((const char *)getauxval(AT_EXECFN));
}
