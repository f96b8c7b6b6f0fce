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

void facet_count_unsupported(const char *name)
{
    if (facet_session_alive())
        facet_post_unsupported(0, name, (uint32_t)strlen(name));
}

/* A program that asks for very much of it is told where the rest is listed. */
enum { MOST_LINES = 32 };

void facet_say_unsupported(const char *format, ...)
{
    static _Atomic(unsigned) lines;
    char line[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (atomic_load(&lines) > MOST_LINES || !first_time(hash(line)))
        return;
    unsigned number = atomic_fetch_add(&lines, 1);
    if (number < MOST_LINES)
        facet_say("%s", line);
    else if (number == MOST_LINES)
        facet_say("more is not supported that this program asks for; 'facet ps --unsupported' lists it");
}

CUresult facet_unsupported(const char *name)
{
    facet_count_unsupported(name);
    bool call = strncmp(name, "cu", 2) == 0;
    facet_say_unsupported(call ? "the call %s is not supported; it answers so" : "%s: not supported", name);
    return CUDA_ERROR_NOT_SUPPORTED;
}
