/* A view of its own of users, network, processes, mounts, names and queues. */
#ifndef FACET_CONFINE_NAMESPACES_H
#define FACET_CONFINE_NAMESPACES_H

#include <stdbool.h>

/* Without privileges a namespace of users comes first, and gives the right to make the others. The
 * next child is the first process of the new namespace of processes. */
void namespaces_enter(void);

/* Whether mounts can be changed without anybody else seeing it. */
bool namespaces_has_mounts(void);

#endif
