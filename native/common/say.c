#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cancel.h"
#include "client.h"

enum { REMEMBERED = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t said[REMEMBERED];
static unsigned said_count;

static uint64_t hash(const char *text)
{
    uint64_t value = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 1099511628211u;
    return value;
}

static bool first_time(uint64_t value)
{
    pthread_mutex_lock(&lock);
    bool first = true;
    unsigned kept = said_count < REMEMBERED ? said_count : REMEMBERED;
    for (unsigned i = 0; i < kept; i++)
        first = first && said[i] != value;
    if (first)
        said[said_count++ % REMEMBERED] = value;
    pthread_mutex_unlock(&lock);
    return first;
}

void facet_say(const char *format, ...)
{
    char line[1024] = "facet: ";
    size_t start = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + start, sizeof line - start - 1, format, arguments);
    va_end(arguments);
    if (!first_time(hash(line)))
        return;
    strcat(line, "\n");
    /* One write, so that lines of several processes do not mix; stderr may be gone. */
    int cancel = facet_cancel_later();
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    facet_cancel_as(cancel);
}

CUresult facet_unsupported(const char *name)
{
    if (facet_session_alive()) {
        size_t bytes = strlen(name);
        facet_post_unsupported(0, name, (uint32_t)bytes);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}
