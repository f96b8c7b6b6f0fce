/* The command line of facet-confine. */
#ifndef FACET_CONFINE_OPTIONS_H
#define FACET_CONFINE_OPTIONS_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { CONFINE_READ_LIMIT = 1024, CONFINE_DEVICE_LIMIT = 128, CONFINE_GROUP_LIMIT = 8 };

struct confine_options {
    const char *connect;                   /* path of the daemon's socket */
    uid_t user;                            /* user and group of the program; 0: the caller's own */
    rlim_t files;                          /* descriptors that it may have open */
    rlim_t processes;                      /* threads that it may have; only where it has a user of its own */
    const char *reads[CONFINE_READ_LIMIT]; /* files and folders that it sees, and no others */
    int read_count;
    const char *devices[CONFINE_DEVICE_LIMIT]; /* what it can use besides: device files, sockets */
    int device_count;
    const char *groups[CONFINE_GROUP_LIMIT]; /* folders of control groups that it joins */
    int group_count;
    bool require;   /* whether it fails where the system refuses a piece */
    char **program; /* path and arguments; ends with NULL */
};

/* -1: go on; else the code to exit with. */
int confine_options_parse(int count, char **arguments, struct confine_options *options);

#endif
