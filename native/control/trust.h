/* Whether what looks like our daemon is one: in /tmp anybody can make a folder of its name before we do. */
#ifndef FACET_TRUST_H
#define FACET_TRUST_H

#include <stdbool.h>

/* What connect says, with errno, of a daemon that is not to be trusted. */
#define FACET_DISTRUSTED EKEYREJECTED

/* Why the runtime directory is not to be trusted, and what to do; NULL when it is. */
const char *facet_distrust_directory(const char *directory);

/* The same of who listens at its socket. */
const char *facet_distrust_peer(const char *directory, int connection);

#endif
