/* What the programs in C have to do with the daemon: its control socket, a line out, a line of JSON back. docs/api.md */
#ifndef FACET_CONTROL_H
#define FACET_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* The most that the daemon reads as one line. */
enum { FACET_CONTROL_LINE = 1 << 20 };

/* Where the daemon has its sockets; the daemon looks in the same order. False: the path is too long. */
bool facet_runtime_directory(char *path, size_t bytes);

/* A connection to the daemon of a runtime directory; -1 with errno. FACET_DISTRUSTED: see the next one. */
int facet_control_connect(const char *directory);

/* Why the daemon was not trusted, and what to do. */
const char *facet_control_distrust(void);

/* How long to wait for an answer. */
void facet_control_patience(int connection, int seconds);

/* Adds " name=value" to a request, percent-encoded. */
void facet_control_append(struct facet_text *line, const char *name, const char *value);

/* Sends a request, without its end of line, and reads the answer. False with errno; 0 where the daemon hung up. */
bool facet_control_ask(int connection, struct facet_text *line, struct facet_text *answer);

#endif
