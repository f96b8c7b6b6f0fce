#include "arguments.h"

#include <string.h>

/* Keys in `extra`. */
#define KEY_END ((void *)0)
#define KEY_POINTER ((void *)1)
#define KEY_SIZE ((void *)2)

static CUresult find_packed(const struct facet_function_record *record, void **extra, struct facet_arguments *found)
{
    const size_t *bytes = NULL;
    for (int i = 0; extra[i] != KEY_END; i += 2) {
        if (extra[i] == KEY_POINTER) {
            found->packed = extra[i + 1];
        } else if (extra[i] == KEY_SIZE) {
            bytes = extra[i + 1];
        } else {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    if (record->parameter_bytes == 0)
        return CUDA_SUCCESS;
    return found->packed == NULL || bytes == NULL || *bytes < record->parameter_bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult facet_arguments_find(const struct facet_function_record *record, void **values, void **extra, struct facet_arguments *found)
{
    *found = (struct facet_arguments){.values = values};
    if (extra != NULL)
        return values != NULL ? CUDA_ERROR_INVALID_VALUE : find_packed(record, extra, found);
    if (record->parameter_count == 0)
        return CUDA_SUCCESS;
    if (values == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < record->parameter_count; i++) {
        if (values[i] == NULL)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

void facet_arguments_pack(const struct facet_function_record *record, const struct facet_parameter_record *parameters,
                          const struct facet_arguments *arguments, void *place)
{
    unsigned char *bytes = place;
    if (arguments->packed != NULL) {
        memcpy(bytes, arguments->packed, record->parameter_bytes);
        return;
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < record->parameter_count; i++) {
        uint32_t offset = parameters[i].offset;
        if (offset > end)
            memset(bytes + end, 0, offset - end);
        switch (parameters[i].bytes) { /* most are registers' sizes, which need no call */
        case 4:
            memcpy(bytes + offset, arguments->values[i], 4);
            break;
        case 8:
            memcpy(bytes + offset, arguments->values[i], 8);
            break;
        default:
            memcpy(bytes + offset, arguments->values[i], parameters[i].bytes);
            break;
        }
        end = offset + parameters[i].bytes;
    }
    if (record->parameter_bytes > end)
        memset(bytes + end, 0, record->parameter_bytes - end);
}
