#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void facet_preload_say(const char *format, ...)
{
    char line[1024] = "facet: ";
    enum { START = 7 };
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + START, sizeof line - START - 1, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t bytes = START + ((size_t)length < sizeof line - START - 2 ? (size_t)length : sizeof line - START - 2);
    line[bytes++] = '\n';
    /* Not by stdio: at this time it may not be ready. Nothing can be done about an error. */
    if (write(STDERR_FILENO, line, bytes) < 0)
        return;
}
