/* Memory in stream order. A pool holds more than it has handed out, and lets it go when it likes: what is charged is what it says that it
 * holds, looked at after every call that may change it. Memory of graphs is a pool of each device. */
#ifndef FACET_DIRECT_POOL_H
#define FACET_DIRECT_POOL_H

#include "facet_cuda.h"

/* Looks at all pools. Costs a load when there are none. */
void facet_pools_settle(void);
/* Frees memory that is not in the book: of a pool. */
CUresult facet_pools_free(CUdeviceptr address, CUstream stream, CUresult (*free_it)(CUdeviceptr address, CUstream stream));
void facet_pools_lock(void);
void facet_pools_unlock(void);
void facet_pools_forget(void);

/* The memory of graphs of a device. What a launch needs is taken before it; behind it one looks what there is. reserved: what was taken. */
CUresult facet_graphs_reserve(int device, CUdevice vendor, uint64_t bytes, uint64_t *reserved);
void facet_graphs_settle(int device, CUdevice vendor, uint64_t reserved);

#endif
