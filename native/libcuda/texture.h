/* Textures and surfaces: what the program said about them is kept here, what kernels need is told to the host. */
#ifndef FACET_TEXTURE_H
#define FACET_TEXTURE_H

#include "array.h"

/* What the number of an object stands for: its id in the lowest bits, above them which of those that ever had it. */
struct facet_texture {
    struct facet_object object;
    uint64_t handle;
    bool surface;
    bool viewed; /* whether there is a view */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
};

/* A variable of an old module that names a texture or surface, and what is bound to it. */
struct facet_texture_reference {
    struct facet_object object;
    uint64_t variable; /* where kernels look for the handle; 0: it belongs to no module */
    uint32_t module;   /* id */
    bool surface;
    bool bound;
    uint64_t handle; /* of the texture that is bound; 0: none */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUarray_format format;
    unsigned channels;
};

CUresult facet_texture_create(struct facet_context *context, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                              const CUDA_RESOURCE_VIEW_DESC *view, uint64_t *handle);
CUresult facet_texture_destroy(uint64_t handle, bool surface);

#endif
