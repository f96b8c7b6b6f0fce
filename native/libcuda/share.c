/* Physical memory as file descriptors. A descriptor is a small sealed file with the name; the daemon knows what it stands for,
 * in its slice. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "share.h"

#define MAGIC UINT64_C(0x6d656d2d74656361) /* "acet-mem" */

struct told {
    uint64_t magic;
    uint64_t name[2];
};

int facet_share_file(const void *what, size_t bytes)
{
    int file = memfd_create("facet-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -1;
    if (write(file, what, bytes) != (ssize_t)bytes || fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        close(file);
        return -1;
    }
    return file;
}

CUresult facet_cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                            unsigned long long flags)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct told told = {.magic = MAGIC};
    facet_mapped_begin();
    const struct facet_segment *segment = facet_object((const void *)(uintptr_t)handle, FACET_SEGMENT);
    bool possible = segment != NULL && segment->object.context == NULL && !segment->allocation && segment->references > 0 &&
                    (segment->handle_types & (unsigned)type) != 0;
    result = possible ? facet_wait_segment_share(0, 0, segment->object.id, &told.name[0], &told.name[1]) : CUDA_ERROR_INVALID_VALUE;
    facet_mapped_end();
    if (result != CUDA_SUCCESS)
        return result;
    int file = facet_share_file(&told, sizeof told);
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    memcpy(shareable, &file, sizeof file);
    return CUDA_SUCCESS;
}

CUresult facet_cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable, CUmemAllocationHandleType type)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct told told;
    int file = (int)(intptr_t)shareable;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || (intptr_t)shareable != file ||
        pread(file, &told, sizeof told, 0) != (ssize_t)sizeof told || told.magic != MAGIC || !facet_command_known(FACET_COMMAND_SEGMENT_OPEN))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_segment *opened;
    facet_mapped_begin();
    result = facet_segment_open(told.name, false, &opened);
    if (result == CUDA_SUCCESS) {
        opened->handle_types = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        *handle = (CUmemGenericAllocationHandle)(uintptr_t)opened;
    }
    facet_mapped_end();
    if (result == CUDA_ERROR_INVALID_HANDLE) {
        facet_say("memory cannot be imported: it was exported in another slice, or is gone");
        return CUDA_ERROR_INVALID_VALUE;
    }
    return result;
}
