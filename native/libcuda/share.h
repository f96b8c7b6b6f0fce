/* What other processes of the slice are told: names of 128 bits that nobody guesses. docs/session-protocol.md, Segments */
#ifndef FACET_SHARE_H
#define FACET_SHARE_H

#include "mapped.h"

/* cuMemFree of an allocation that others may have open. False: they do, and it stays until they have closed it. */
bool facet_share_end(struct facet_context *context, uint64_t address);
/* Whether the program has freed it, and others have it open. */
bool facet_share_freed(uint64_t address);
/* Frees what nobody has open any more. Whether there was something. */
bool facet_share_reap(void);
/* The context has ended. */
void facet_share_forget(struct facet_context *context);

#endif
