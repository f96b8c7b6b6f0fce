#include "line.h"

#include <stdlib.h>
#include <string.h>

static const char *const KINDS[] = {[RECORD_ROOT] = "root ", [RECORD_FOLDER] = "folder ", [RECORD_FILE] = "file "};

/* A number and the space behind it. */
static bool number(const char **at, unsigned long long *value)
{
    char *end;
    if (**at < '0' || **at > '9') {
        return false;
    }
    *value = strtoull(*at, &end, 10);
    if (*end != ' ') {
        return false;
    }
    *at = end + 1;
    return true;
}

static bool parse(const char *at, size_t length, struct record_line *line)
{
    const char *end = at + length;
    unsigned long long device, inode;
    for (int kind = RECORD_ROOT; kind <= RECORD_FILE; kind++) {
        if (strncmp(at, KINDS[kind], strlen(KINDS[kind])) == 0) {
            line->kind = (enum record_kind)kind;
            at += strlen(KINDS[kind]);
            if (!number(&at, &device) || !number(&at, &inode) || at >= end || *at != '/' || (size_t)(end - at) >= sizeof line->path) {
                return false;
            }
            line->device = (dev_t)device;
            line->inode = (ino_t)inode;
            memcpy(line->path, at, (size_t)(end - at));
            line->path[end - at] = 0;
            return true;
        }
    }
    return false;
}

bool record_line_next(const char **at, struct record_line *line)
{
    while (**at != 0) {
        const char *start = *at;
        size_t length = strcspn(start, "\n");
        *at = start + length + (start[length] == '\n');
        if (parse(start, length, line)) {
            return true;
        }
    }
    return false;
}
