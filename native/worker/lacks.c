#include "lacks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char list[256];

void lacks_add(const char *piece, const char *why)
{
    fprintf(stderr, "facet-confine: a worker lacks its own %s: %s: %s\n", piece, why, strerror(errno));
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", length == 0 ? "" : ",", piece);
}

const char *lacks_list(void)
{
    return list;
}

void confine_fail(const char *what, const char *detail)
{
    fprintf(stderr, "facet-confine: %s %s: %s\n", what, detail, strerror(errno));
    _exit(1);
}
