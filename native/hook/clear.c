/* Removing what was made in a container's root. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "line.h"
#include "record.h"
#include "say.h"
#include "text.h"

enum { MOST_LIST = 1 << 20 };

static bool read_list(int folder, struct facet_text *text)
{
    int file = openat(folder, "placeholders", O_RDONLY | O_CLOEXEC);
    bool got = file >= 0 && facet_text_read(text, file, MOST_LIST);
    if (file >= 0) {
        close(file);
    }
    return got;
}

/* Whether a list begins with this root. */
static bool is_of(const struct facet_text *list, const struct record_line *root)
{
    struct record_line first;
    const char *at = list->bytes;
    return record_line_next(&at, &first) && first.kind == RECORD_ROOT && first.device == root->device && first.inode == root->inode;
}

/* Another container with the same root has mounted over our placeholders: to remove one would take the mount away there.
 * It gets our list. */
static bool hand_over(struct record *record, const struct record_line *root, const char *lines)
{
    int copy = openat(record->all, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folders = copy < 0 ? NULL : fdopendir(copy);
    bool taken = false;
    for (struct dirent *each; !taken && folders != NULL && (each = readdir(folders)) != NULL;) {
        if (each->d_name[0] == '.' || strcmp(each->d_name, record->id) == 0) {
            continue;
        }
        struct facet_text list = {0};
        int folder = openat(record->all, each->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0 && read_list(folder, &list) && is_of(&list, root)) {
            int file = openat(folder, "placeholders", O_WRONLY | O_APPEND | O_CLOEXEC);
            size_t bytes = strlen(lines);
            taken = file >= 0 && write(file, lines, bytes) == (ssize_t)bytes;
            if (file >= 0) {
                close(file);
            }
        }
        facet_text_free(&list);
        if (folder >= 0) {
            close(folder);
        }
    }
    if (folders != NULL) {
        closedir(folders);
    }
    return taken;
}

/* Only what is still the thing that was made, and empty. */
static void remove_one(int root, const struct record_line *line)
{
    struct stat status;
    char *slash = strrchr(line->path, '/');
    if (slash == NULL) {
        return;
    }
    const char *name = slash + 1;
    *slash = 0;
    int parent = facet_open_plain(root, slash == line->path ? "." : line->path + 1, O_PATH | O_DIRECTORY);
    if (parent >= 0 && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == line->device && status.st_ino == line->inode) {
        if (line->kind == RECORD_FOLDER) {
            unlinkat(parent, name, AT_REMOVEDIR);
        } else if (S_ISREG(status.st_mode) && status.st_size == 0) {
            unlinkat(parent, name, 0);
        }
    }
    if (parent >= 0) {
        close(parent);
    }
    *slash = '/';
}

/* From the last to the first: folders after what is in them. */
static void remove_all(int root, char *lines)
{
    while (*lines != 0) {
        size_t length = strlen(lines);
        lines[length - 1] = 0; /* the end of the last line */
        char *last = strrchr(lines, '\n');
        last = last == NULL ? lines : last + 1;
        struct record_line line;
        const char *at = last;
        if (record_line_next(&at, &line) && line.kind != RECORD_ROOT) {
            remove_one(root, &line);
        }
        *last = 0;
    }
}

static bool open_root(const struct record_line *line, int *root)
{
    struct stat status;
    *root = open(line->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return *root >= 0 && fstat(*root, &status) == 0 && status.st_dev == line->device && status.st_ino == line->inode;
}

void record_clear(struct record *record)
{
    struct facet_text list = {0};
    struct record_line first;
    if (read_list(record->folder, &list)) {
        const char *at = list.bytes;
        int root = -1;
        if (record_line_next(&at, &first) && first.kind == RECORD_ROOT && *at != 0 && open_root(&first, &root) && !hand_over(record, &first, at)) {
            remove_all(root, list.bytes + (at - list.bytes));
        }
        if (root >= 0) {
            close(root);
        }
    }
    facet_text_free(&list);
}
