/* Contexts, and where the calling thread is. */
#ifndef FACET_DIRECT_WORK_H
#define FACET_DIRECT_WORK_H

#include "facet_cuda.h"

/* The context that a thread works in. */
struct facet_where {
    CUcontext context;
    CUdevice vendor; /* the vendor's number of its device */
    int device;      /* the slice's */
};

/* CUDA_SUCCESS, or why the thread has no context of the slice. Costs one call of the vendor's. */
CUresult facet_where(struct facet_where *where);

/* When the slice is open. */
void facet_work_start(void);
void facet_work_before_fork(void);
void facet_work_after_fork(bool child);

#endif
