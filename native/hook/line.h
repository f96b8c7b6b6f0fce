/* A line of a list of placeholders. */
#ifndef FACET_HOOK_LINE_H
#define FACET_HOOK_LINE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum record_kind { RECORD_ROOT, RECORD_FOLDER, RECORD_FILE };

struct record_line {
    enum record_kind kind;
    dev_t device;
    ino_t inode;
    char path[PATH_MAX]; /* absolute; for placeholders below the root */
};

/* Reads the next line of a text and goes behind it; lines that are none are left out. False at the end. */
bool record_line_next(const char **at, struct record_line *line);

#endif
