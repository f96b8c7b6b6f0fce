/* What the vendor's driver takes of a device for itself: contexts, code, variables of modules, stacks, heaps. Nobody is asked for it by a call
 * with a size; NVML tells what the process has in all. */
#ifndef FACET_DIRECT_OVERHEAD_H
#define FACET_DIRECT_OVERHEAD_H

#include "facet_cuda.h"

/* Compares with what was charged, and charges the rest. CUDA_ERROR_OUT_OF_MEMORY: it is more than the slice has; it is charged only when the
 * caller cannot undo it. */
CUresult facet_overhead_settle(int device, bool undoable);
/* In a child. */
void facet_overhead_forget(void);

#endif
