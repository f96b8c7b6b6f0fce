/* Launches as before CUDA 4: block, shared memory and arguments are set at the function, one after the other, and stay there. */
#include <stdlib.h>
#include <string.h>

#include "module.h"

/* The most that a kernel's arguments have. */
enum { MOST_BYTES = 32764 };

struct facet_old_launch {
    unsigned block[3]; /* 0: not set */
    unsigned shared;
    unsigned bytes; /* of the arguments, as cuParamSetSize says */
    unsigned char arguments[MOST_BYTES];
};

/* Held while a state is looked at; nothing is waited for under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The state of a function; the lock is held when it is found. */
static CUresult enter(CUfunction handle, struct facet_old_launch **state)
{
    struct facet_context *context;
    struct facet_function *function;
    CUresult result = facet_context_current(&context);
    if (result == CUDA_SUCCESS)
        result = facet_function_resolve(handle, context, &function);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    if (facet_object(function, FACET_FUNCTION) == NULL) { /* unloaded meanwhile */
        pthread_mutex_unlock(&lock);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (function->old == NULL)
        function->old = calloc(1, sizeof *function->old);
    *state = function->old;
    if (*state != NULL)
        return CUDA_SUCCESS;
    pthread_mutex_unlock(&lock);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult leave(CUresult result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

void facet_old_launch_forget(struct facet_function *function)
{
    pthread_mutex_lock(&lock);
    free(function->old);
    function->old = NULL;
    pthread_mutex_unlock(&lock);
}

/* Whether a launch can have such a block is looked at when it is launched. */
CUresult facet_cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    struct facet_old_launch *state;
    CUresult result = enter(function, &state);
    if (result != CUDA_SUCCESS)
        return result;
    if (x <= 0 || y <= 0 || z <= 0)
        return leave(CUDA_ERROR_INVALID_VALUE);
    state->block[0] = (unsigned)x;
    state->block[1] = (unsigned)y;
    state->block[2] = (unsigned)z;
    return leave(CUDA_SUCCESS);
}

CUresult facet_cuFuncSetSharedSize(CUfunction function, unsigned int bytes)
{
    struct facet_old_launch *state;
    CUresult result = enter(function, &state);
    if (result != CUDA_SUCCESS)
        return result;
    state->shared = bytes;
    return leave(CUDA_SUCCESS);
}

CUresult facet_cuParamSetSize(CUfunction function, unsigned int bytes)
{
    struct facet_old_launch *state;
    CUresult result = enter(function, &state);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes > MOST_BYTES)
        return leave(CUDA_ERROR_INVALID_VALUE);
    state->bytes = bytes;
    return leave(CUDA_SUCCESS);
}

CUresult facet_cuParamSetv(CUfunction function, int offset, void *from, unsigned int bytes)
{
    struct facet_old_launch *state;
    CUresult result = enter(function, &state);
    if (result != CUDA_SUCCESS)
        return result;
    if (offset < 0 || offset > MOST_BYTES || bytes > (unsigned)(MOST_BYTES - offset) || (from == NULL && bytes > 0))
        return leave(CUDA_ERROR_INVALID_VALUE);
    if (bytes > 0)
        memcpy(state->arguments + offset, from, bytes);
    return leave(CUDA_SUCCESS);
}

CUresult facet_cuParamSeti(CUfunction function, int offset, unsigned int value)
{
    return facet_cuParamSetv(function, offset, &value, sizeof value);
}

CUresult facet_cuParamSetf(CUfunction function, int offset, float value)
{
    return facet_cuParamSetv(function, offset, &value, sizeof value);
}

CUresult facet_cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    struct facet_old_launch *state;
    CUresult result = enter(function, &state);
    if (result != CUDA_SUCCESS)
        return result;
    if (width <= 0 || height <= 0 || state->block[0] == 0)
        return leave(CUDA_ERROR_INVALID_VALUE);
    /* A launch may wait for room in the ring. */
    struct facet_old_launch *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return leave(CUDA_ERROR_OUT_OF_MEMORY);
    memcpy(copy, state, sizeof *copy);
    leave(CUDA_SUCCESS);
    size_t bytes = copy->bytes;
    void *extra[] = {(void *)1, copy->arguments, (void *)2, &bytes, NULL}; /* CU_LAUNCH_PARAM_BUFFER_POINTER, ..._SIZE */
    result = facet_cuLaunchKernel(false, function, (unsigned)width, (unsigned)height, 1, copy->block[0], copy->block[1], copy->block[2], copy->shared,
                                  stream, NULL, extra);
    free(copy);
    return result;
}

CUresult facet_cuLaunchGrid(CUfunction function, int width, int height)
{
    return facet_cuLaunchGridAsync(function, width, height, NULL);
}

CUresult facet_cuLaunch(CUfunction function)
{
    return facet_cuLaunchGridAsync(function, 1, 1, NULL);
}
