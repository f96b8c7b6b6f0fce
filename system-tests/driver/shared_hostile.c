/* What a program may try with handles that are not its own, or no handles at all. */
// stderr: facet:
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRANULE ((size_t)2 << 20)

static CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                         .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                         .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};

static CUresult import(int file)
{
    CUmemGenericAllocationHandle handle;
    return cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
}

/* Descriptors of other things, of nothing, and of names that nobody gave. */
static void foreign_descriptors(int real)
{
    char bytes[4096];
    int pipes[2];
    EXPECT(import(-1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(import(1 << 20), CUDA_ERROR_INVALID_VALUE);
    REQUIRE(pipe(pipes) == 0, "no pipe");
    EXPECT(import(pipes[0]), CUDA_ERROR_INVALID_VALUE);
    int zero = open("/dev/zero", O_RDONLY), self = open("/proc/self/exe", O_RDONLY), folder = open("/", O_RDONLY);
    EXPECT(import(zero), CUDA_ERROR_INVALID_VALUE);
    EXPECT(import(self), CUDA_ERROR_INVALID_VALUE);
    EXPECT(import(folder), CUDA_ERROR_INVALID_VALUE);
    ssize_t length = pread(real, bytes, sizeof bytes, 0);
    REQUIRE(length > 16, "%zd bytes", length);
    REQUIRE(write(real, bytes, 1) < 0 && ftruncate(real, 0) != 0, "it can be changed");
    for (ssize_t at = 0; at < length; at++) {
        bytes[at] ^= 1; /* each byte matters */
        FILE *forged = tmpfile();
        fwrite(bytes, 1, (size_t)length, forged);
        fflush(forged);
        EXPECT(import(fileno(forged)), CUDA_ERROR_INVALID_VALUE);
        fclose(forged);
        bytes[at] ^= 1;
    }
    close(folder), close(self), close(zero), close(pipes[0]), close(pipes[1]);
}

static void forged_handles(CUdeviceptr own)
{
    CUipcMemHandle handle, forged;
    CUipcEventHandle event_handle;
    CUdeviceptr opened;
    CUevent event, plain;
    CHECK(cuIpcGetMemHandle(&handle, own));
    for (size_t at = 0; at < 24; at++) {
        forged = handle;
        forged.reserved[at] ^= 1;
        EXPECT(cuIpcOpenMemHandle(&opened, forged, 1), CUDA_ERROR_INVALID_HANDLE);
    }
    memset(&forged, 0, sizeof forged);
    EXPECT(cuIpcOpenMemHandle(&opened, forged, 1), CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuIpcOpenMemHandle(&opened, handle, 77), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuIpcCloseMemHandle(own), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuIpcCloseMemHandle(0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuIpcGetMemHandle(&handle, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuIpcGetMemHandle(&handle, (CUdeviceptr)(uintptr_t)&handle), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    EXPECT(cuIpcGetEventHandle(&event_handle, plain), CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    CHECK(cuIpcGetEventHandle(&event_handle, event));
    memcpy(&forged, &event_handle, sizeof forged);
    EXPECT(cuIpcOpenMemHandle(&opened, forged, 1), CUDA_ERROR_INVALID_HANDLE);
    event_handle.reserved[9] ^= 4;
    EXPECT(cuIpcOpenEventHandle(&plain, event_handle), CUDA_ERROR_INVALID_HANDLE);
    event_handle.reserved[9] ^= 4;
    CHECK(cuEventDestroy(event)); /* with it goes its name */
    EXPECT(cuIpcOpenEventHandle(&plain, event_handle), CUDA_ERROR_INVALID_HANDLE);
}

/* A child has the descriptor and the handles, but no session. */
static void in_a_child(int file, CUmemGenericAllocationHandle handle, CUdeviceptr mapped)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int value = 0;
        EXPECT(import(file), CUDA_ERROR_NOT_INITIALIZED);
        EXPECT(cuMemRelease(handle), CUDA_ERROR_NOT_INITIALIZED);
        EXPECT(cuMemUnmap(mapped, GRANULE), CUDA_ERROR_NOT_INITIALIZED);
        EXPECT(cuMemcpyDtoH(&value, mapped, 4), CUDA_ERROR_NOT_INITIALIZED);
        fflush(stdout);
        _exit(0);
    }
    REQUIRE(waitpid(child, &status, 0) == child && status == 0, "the child ended with %x", (unsigned)status);
}

/* What was imported after its maker let go of it is gone. */
static void late(void)
{
    CUmemGenericAllocationHandle handle;
    int file = -1;
    CHECK(cuMemCreate(&handle, GRANULE, &properties, 0));
    CHECK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(cuMemRelease(handle));
    EXPECT(import(file), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    close(file);
}

int main(void)
{
    int there = 0, file = -1;
    CUmemGenericAllocationHandle handle, same, plain;
    CUdeviceptr mapped = 0;
    open_device();
    CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    if (!there) {
        EXPECT(cuMemCreate(&handle, GRANULE, &properties, 0), CUDA_ERROR_NOT_SUPPORTED);
        printf("ok not on this device\n");
        return 0;
    }
    CHECK(cuMemCreate(&handle, GRANULE, &properties, 0));
    CHECK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    CHECK(cuMemCreate(&plain, GRANULE, &properties, 0));
    EXPECT(cuMemExportToShareableHandle(&file, plain, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemRelease(plain));
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    /* By its own process it may be imported. */
    CHECK(cuMemImportFromShareableHandle(&same, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CHECK(cuMemRelease(same));
    CHECK(cuMemAddressReserve(&mapped, GRANULE, 0, 0, 0));
    CHECK(cuMemMap(mapped, GRANULE, 0, handle, 0));
    in_a_child(file, handle, mapped);
    foreign_descriptors(file);
    forged_handles(allocate(100));
    late();
    close(file);
    CHECK(cuMemUnmap(mapped, GRANULE));
    CHECK(cuMemRelease(handle));
    printf("ok nothing was got\n");
    return 0;
}
