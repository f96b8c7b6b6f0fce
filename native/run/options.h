/* The command line of facet-run. */
#ifndef FACET_RUN_OPTIONS_H
#define FACET_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct run_options {
    uint64_t memory;    /* bytes, 0: as the default slice */
    int compute;        /* percent, 0: as the default slice */
    const char *name;   /* of the slice, or NULL */
    bool ping;          /* only look whether a daemon answers */
    const char *script; /* that starts a daemon, or NULL */
    char **program;     /* ends with NULL */
};

/* -1: go on; else the code to exit with. */
int run_options_parse(int count, char **arguments, struct run_options *options);

#endif
