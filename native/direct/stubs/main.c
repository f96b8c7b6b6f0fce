/* facet-stubs: writes the library for calls without a rule by hand. */
#include <stdio.h>
#include <string.h>

#include "stubs.h"

int main(int count, char **arguments)
{
    char why[512];
    const char *last = count == 3 ? strrchr(arguments[2], '/') : NULL;
    const char *name = last == NULL ? count == 3 ? arguments[2] : "" : last + 1;
    const struct facet_stubs_kind *kind = strcmp(name, FACET_MANAGEMENT_LIBRARY) == 0 ? &facet_stubs_management : &facet_stubs_driver;
    if (count == 3 && facet_stubs_write(kind, arguments[1], arguments[1], facet_known_calls, facet_known_call_count, arguments[2], why, sizeof why))
        return 0;
    if (count == 3) {
        fprintf(stderr, "facet-stubs: %s\n", why);
        return 1;
    }
    fprintf(stderr,
            "Usage: facet-stubs VENDORS-LIBCUDA OUTPUT\n\nWrites " FACET_UNRULED_LIBRARY " for a vendor's libcuda, or " FACET_MANAGEMENT_LIBRARY
            " for its libnvidia-ml: what OUTPUT is called. 'facet run --engine direct' does it by itself.\n");
    return 2;
}
