/* facet-stubs: writes the library for calls without a rule by hand. */
#include <stdio.h>
#include <string.h>

#include "stubs.h"

int main(int count, char **arguments)
{
    char why[512];
    if (count == 3 && facet_stubs_write(arguments[1], facet_known_calls, facet_known_call_count, arguments[2], why, sizeof why))
        return 0;
    if (count == 3) {
        fprintf(stderr, "facet-stubs: %s\n", why);
        return 1;
    }
    fprintf(stderr, "Usage: facet-stubs VENDORS-LIBCUDA OUTPUT\n\nWrites " FACET_UNRULED_LIBRARY
                    " for a vendor's libcuda. 'facet run --engine direct' does it by itself.\n");
    return 2;
}
