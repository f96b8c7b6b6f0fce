/* The options of a compilation: where its log goes, and how many registers it may use. What else concerns machine code means nothing here. */
#ifndef FACET_JIT_OPTIONS_H
#define FACET_JIT_OPTIONS_H

#include "client.h"

struct facet_jit {
    void **values;
    char *info;
    char *error;
    size_t info_capacity;
    size_t error_capacity;
    int info_size_at; /* index of the value that takes the size written; -1: none */
    int error_size_at;
    int wall_time_at;
    uint32_t registers; /* 0: as many as it likes */
};

CUresult facet_jit_read(unsigned count, const CUjit_option *options, void **values, struct facet_jit *jit);
/* Puts the log where the program wants it: with the errors when result is one. */
void facet_jit_write(const struct facet_jit *jit, CUresult result, const char *log, double milliseconds);

#endif
