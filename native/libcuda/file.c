#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module.h"

CUresult facet_file_read(const char *name, void **data, size_t *bytes)
{
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_OPERATING_SYSTEM;
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    size_t size = (size_t)status.st_size;
    char *copy = malloc(size + 1);
    size_t done = 0;
    while (copy != NULL && done < size) {
        ssize_t count = read(file, copy + done, size - done);
        if (count == 0)
            break;
        if (count < 0 && errno != EINTR) {
            free(copy);
            close(file);
            return CUDA_ERROR_OPERATING_SYSTEM;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    close(file);
    if (copy == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    copy[done] = '\0';
    *data = copy;
    *bytes = done + 1;
    return CUDA_SUCCESS;
}
