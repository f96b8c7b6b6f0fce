/* The slice that the program has: its devices among the vendor's, and its memory. */
#ifndef FACET_DIRECT_SLICE_H
#define FACET_DIRECT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "facet_cuda.h"

enum { FACET_VISIBLE_MOST = 64 };

/* Connects to the slice and finds its devices; cuInit does it, when the vendor's driver is ready. */
CUresult facet_slice_open(void);
/* CUDA_SUCCESS while the slice is there; looks now and then whether the daemon is. */
CUresult facet_slice_check(void);

/* Devices that the program sees: those of the slice that the vendor's driver has, in its order. */
int facet_slice_devices(void);
CUdevice facet_slice_vendor_device(int ordinal);
/* The slice's own number of a device of the vendor's, for the ledger; -1: it is not the slice's. */
int facet_slice_number(CUdevice device);

/* What the ledger counts for so many bytes: multiples of 256, as in the forwarded engine. UINT64_MAX when there is no such number. */
uint64_t facet_slice_rounded(uint64_t bytes);
/* Takes bytes of the slice's memory on a device before the vendor is asked for them. CUDA_ERROR_OUT_OF_MEMORY: it has no more. Nothing is
 * taken then. 0 bytes are always there. */
CUresult facet_slice_take(int device, uint64_t bytes);
void facet_slice_give(int device, uint64_t bytes);

#endif
