/* The command line of facet-run. */
#ifndef FACET_RUN_OPTIONS_H
#define FACET_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Options whose values the daemon checks, in the order of RUN_TERMS. */
enum { RUN_TERM_COUNT = 13 };

struct run_term {
    const char *option;
    const char *key; /* of the control socket */
};

extern const struct run_term RUN_TERMS[RUN_TERM_COUNT];

struct run_options {
    uint64_t memory;    /* bytes, 0: as the default slice */
    int compute;        /* percent, 0: as the default slice */
    const char *name;   /* of the slice, or NULL */
    const char *slice;  /* one that is there already, or NULL */
    const char *terms[RUN_TERM_COUNT]; /* what was said, or NULL */
    bool ping;          /* only look whether a daemon answers */
    const char *script; /* that starts a daemon, or NULL */
    char **program;     /* ends with NULL */
};

/* Whether a slice is to be made for the program. */
bool run_options_own_slice(const struct run_options *options);

/* -1: go on; else the code to exit with. */
int run_options_parse(int count, char **arguments, struct run_options *options);

#endif
