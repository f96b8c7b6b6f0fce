/* The vendor's driver, in this process. */
#ifndef FACET_DIRECT_VENDOR_H
#define FACET_DIRECT_VENDOR_H

#include "facet_direct.h" /* generated: struct facet_vendor, one typed pointer a call */

/* Loads the vendor's libcuda once. CUDA_SUCCESS, or an error whose reason the user was told. Any thread. */
CUresult facet_vendor_load(void);
/* A function of the vendor's libcuda by its name; NULL: it has none. */
void *facet_vendor_function(const char *name);
/* Whether a pointer of facet_vendor is one of the vendor's. */
bool facet_vendor_has(const void *pointer);
/* The path of another library of the vendor's beside libcuda. */
bool facet_vendor_beside(const char *name, char *path, size_t bytes);

#endif
