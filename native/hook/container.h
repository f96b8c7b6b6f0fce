/* The container as the runtime describes it: its state, which comes on standard input, and its bundle. */
#ifndef FACET_HOOK_CONTAINER_H
#define FACET_HOOK_CONTAINER_H

#include <stdbool.h>
#include <sys/types.h>

#include "json.h"

struct container {
    struct facet_text id;
    struct facet_text bundle;
    struct facet_text config; /* of the bundle; empty unless it was read */
    struct facet_text root;   /* absolute; empty unless config was read */
    pid_t process;            /* 0: there is none any more */
    bool stopped;             /* as its state tells */
};

/* From the text of its state. What is wrong is said on standard error. */
bool container_of_state(struct container *container, const char *state);

bool container_read_config(struct container *container);

/* What of the configuration tells whether a slice is wanted, as JSON. */
void container_wish(const struct container *container, struct facet_text *text);

void container_free(struct container *container);

#endif
