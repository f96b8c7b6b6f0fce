#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static char last[2048];

bool facet_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(last, sizeof last, format, values);
    va_end(values);
    /* One line, whatever the names in it hold. */
    for (char *each = last; *each != 0; each++) {
        if (*each == '\n' || *each == '\r') {
            *each = ' ';
        }
    }
    fprintf(stderr, "facet: %s\n", last);
    return false;
}

const char *facet_last_failure(void)
{
    return last;
}
