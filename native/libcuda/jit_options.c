#include "jit_options.h"

#include <string.h>

/* CUDA 13.0 has 35; newer programs may know a few more. */
enum { OPTIONS = 64 };

CUresult facet_jit_read(unsigned count, const CUjit_option *options, void **values, struct facet_jit *jit)
{
    *jit = (struct facet_jit){.values = values, .info_size_at = -1, .error_size_at = -1, .wall_time_at = -1};
    if (count != 0 && (options == NULL || values == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        if ((unsigned)options[i] >= OPTIONS)
            return CUDA_ERROR_INVALID_VALUE;
        switch ((int)options[i]) {
        case CU_JIT_MAX_REGISTERS:
            jit->registers = (uint32_t)(uintptr_t)values[i];
            break;
        case CU_JIT_WALL_TIME:
            jit->wall_time_at = (int)i;
            break;
        case CU_JIT_INFO_LOG_BUFFER:
            jit->info = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            jit->info_capacity = (uint32_t)(uintptr_t)values[i];
            jit->info_size_at = (int)i;
            break;
        case CU_JIT_ERROR_LOG_BUFFER:
            jit->error = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            jit->error_capacity = (uint32_t)(uintptr_t)values[i];
            jit->error_size_at = (int)i;
            break;
        default:
            break;
        }
    }
    return CUDA_SUCCESS;
}

/* The size is an unsigned int kept in a pointer's place; programs read one or the other. */
static void write_text(void **values, int size_at, char *buffer, size_t capacity, const char *text)
{
    size_t bytes = 0;
    if (buffer != NULL && capacity > 0) {
        bytes = strnlen(text, capacity - 1);
        memcpy(buffer, text, bytes);
        buffer[bytes] = '\0';
    }
    if (size_at >= 0)
        values[size_at] = (void *)(uintptr_t)bytes;
}

void facet_jit_write(const struct facet_jit *jit, CUresult result, const char *log, double milliseconds)
{
    const char *text = log != NULL ? log : "";
    write_text(jit->values, jit->info_size_at, jit->info, jit->info_capacity, result == CUDA_SUCCESS ? text : "");
    write_text(jit->values, jit->error_size_at, jit->error, jit->error_capacity, result == CUDA_SUCCESS ? "" : text);
    if (jit->wall_time_at >= 0) {
        float time = (float)milliseconds;
        memcpy(&jit->values[jit->wall_time_at], &time, sizeof time);
    }
}
