/* What is known of a container between its start and its end: a folder hook/ID in the runtime directory.
 *
 * Its file 'placeholders' has a line for the container's root and one for each file and folder that was made in it to mount
 * something there: kind, device, inode, path below the root. Without a folder the container is none of ours. */
#ifndef FACET_HOOK_RECORD_H
#define FACET_HOOK_RECORD_H

#include <stdbool.h>
#include <sys/stat.h>

struct record {
    int all;    /* the folder of all records, locked while this one is open */
    int folder; /* -1: there is none */
    int list;   /* where lines are added; -1: only read */
    char id[256];
};

/* Makes the folder. */
bool record_create(struct record *record, const char *runtime_directory, const char *id);

/* The folder as it is; false without a word when there is none. */
bool record_open(struct record *record, const char *runtime_directory, const char *id);

/* Waits until no other hook works on records. */
bool record_lock(struct record *record);

/* A new file in the folder, open for writing; -1 with errno. */
int record_file(const struct record *record, const char *name);

/* Says whose placeholders follow. */
bool record_root(struct record *record, const struct stat *root, const char *path);

bool record_placeholder(struct record *record, const struct stat *made, const char *path);

/* Removes what was made in the container's root, or leaves it to another container with the same root. */
void record_clear(struct record *record);

/* Removes the folder. */
void record_remove(struct record *record);

void record_close(struct record *record);

#endif
