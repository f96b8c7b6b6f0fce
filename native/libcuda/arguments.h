/* The arguments of a launch as the host wants them: one block of bytes, laid out by the PTX. */
#ifndef FACET_ARGUMENTS_H
#define FACET_ARGUMENTS_H

#include "client.h"

/* Where the arguments are: single values, or a block that the program packed itself. */
struct facet_arguments {
    void **values;
    const void *packed;
};

/* CUDA_ERROR_INVALID_VALUE when there are not enough of them, or they come both ways. */
CUresult facet_arguments_find(const struct facet_function_record *record, void **values, void **extra, struct facet_arguments *found);
/* Writes record->parameter_bytes bytes. */
void facet_arguments_pack(const struct facet_function_record *record, const struct facet_parameter_record *parameters,
                          const struct facet_arguments *arguments, void *place);

#endif
