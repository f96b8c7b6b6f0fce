/* What other processes of the slice are told: names of 128 bits that nobody guesses. docs/session-protocol.md, Segments */
#ifndef FACET_SHARE_H
#define FACET_SHARE_H

#include "mapped.h"

/* The name of an allocation of ours, which keeps it: for others to open. */
CUresult facet_share_name(const struct facet_allocation *found, uint64_t name[2]);
/* Where an allocation lies in its chunk, on a device that maps memory itself: others have it at the same place of one. Not 0 there, else 0. */
uint64_t facet_share_place(const struct facet_allocation *found);
/* Memory of others, of that place. pooled: of a pool, and so closed by freeing it; what was opened in another way is not meant. */
CUresult facet_share_open(const uint64_t name[2], uint64_t place, bool pooled, uint64_t *address);
/* CUDA_ERROR_INVALID_VALUE when it is not open. */
CUresult facet_share_close(bool pooled, uint64_t address);
/* A small sealed file that says what it is given; -1 when there is none. */
int facet_share_file(const void *what, size_t bytes);

/* cuMemFree of an allocation that others may have open. False: they do, and it stays until they have closed it. */
bool facet_share_end(struct facet_context *context, uint64_t address);
/* Whether the program has freed it, and others have it open. */
bool facet_share_freed(uint64_t address);
/* Frees what nobody has open any more. Whether there was something. */
bool facet_share_reap(void);
/* The context has ended. */
void facet_share_forget(struct facet_context *context);

#endif
