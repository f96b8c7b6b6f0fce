/* Between host memory, copies and contexts. */
#ifndef FACET_HOST_H
#define FACET_HOST_H

#include "client.h"

/* The context ends: memory that was registered with it becomes the program's own again. */
void facet_host_forget(struct facet_context *context);

#endif
