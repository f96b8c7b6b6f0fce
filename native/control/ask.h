/* Requests of container tools: what cannot be done is said on standard error. */
#ifndef FACET_ASK_H
#define FACET_ASK_H

#include "control.h"
#include "json.h"

/* A connection, or -1 when that was complained about. */
int facet_ask_connect(const char *directory);

/* Whether the daemon did what it was asked; the answer is JSON. Refused requests are complained about. */
bool facet_ask(int connection, struct facet_text *line, struct facet_text *answer);

#endif
