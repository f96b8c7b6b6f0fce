/* The command line of an OCI runtime, as far as the wrapper has to understand it. */
#ifndef FACET_RUNTIME_COMMAND_H
#define FACET_RUNTIME_COMMAND_H

#include <stdbool.h>

struct runtime_command {
    const char *verb;   /* NULL: only options */
    const char *bundle; /* "." unless it was named */
    const char *log;    /* file for messages, or NULL */
    bool log_json;
};

void runtime_command_parse(int count, char **arguments, struct runtime_command *command);

/* Whether it makes a container from a bundle. */
bool runtime_command_creates(const struct runtime_command *command);

#endif
