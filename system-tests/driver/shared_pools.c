/* A pool that another process imports: by a file descriptor, its allocations by 64 bytes each. */
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 100000, BYTES = COUNT * sizeof(int) };

/* What the maker tells. */
struct told {
    int file, other_file;
    CUmemPoolPtrExportData memory, other_memory;
};

static int from, to;

static void say(void)
{
    REQUIRE(write(to, "x", 1) == 1, "the other one is gone");
}

static void hear(void)
{
    char byte;
    REQUIRE(read(from, &byte, 1) == 1, "the other one is gone");
}

static CUmemoryPool make(CUmemAllocationHandleType type)
{
    CUmemoryPool pool;
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .handleTypes = type, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CHECK(cuMemPoolCreate(&pool, &properties));
    return pool;
}

static void is(CUdeviceptr cells, int value)
{
    static int data[COUNT];
    CHECK(cuMemcpyDtoH(data, cells, sizeof data));
    for (int i = 0; i < COUNT; i++)
        REQUIRE(data[i] == value, "element %d is %d", i, data[i]);
}

/* Numbers and pointers that are none. */
static void refused(CUmemoryPool pool, CUdeviceptr memory)
{
    CUmemoryPool closed = make(CU_MEM_HANDLE_TYPE_NONE);
    CUmemPoolPtrExportData data;
    CUdeviceptr other;
    int file;
    memset(&data, 7, sizeof data);
    EXPECT(cuMemPoolExportToShareableHandle(&file, closed, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_NONE, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportToShareableHandle(&file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportToShareableHandle(NULL, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAllocFromPoolAsync(&other, BYTES, closed, NULL));
    EXPECT(cuMemPoolExportPointer(&data, other), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportPointer(&data, memory + 256), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportPointer(&data, 4096), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolExportPointer(NULL, memory), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolImportPointer(&other, pool, &data), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolImportFromShareableHandle(&closed, (void *)(intptr_t)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolImportFromShareableHandle(&closed, (void *)(intptr_t)from, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
           CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolImportFromShareableHandle(&closed, (void *)((intptr_t)1 << 40), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
           CUDA_ERROR_INVALID_VALUE);
}

static int maker(void)
{
    struct told told;
    CUdeviceptr memory, other_memory;
    uint64_t reserved = 1;
    open_device();
    CUmemoryPool pool = make(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), other = make(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    CHECK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, NULL));
    CHECK(cuMemAllocFromPoolAsync(&other_memory, BYTES, other, NULL));
    CHECK(cuMemsetD32(memory, 5, COUNT));
    CHECK(cuMemsetD32(other_memory, 9, COUNT));
    refused(pool, memory);
    CHECK(cuMemPoolExportToShareableHandle(&told.file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(cuMemPoolExportToShareableHandle(&told.other_file, other, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(cuMemPoolExportPointer(&told.memory, memory));
    CHECK(cuMemPoolExportPointer(&told.other_memory, other_memory));
    CHECK(cuCtxSynchronize());
    REQUIRE(write(to, &told, sizeof told) == sizeof told, "the other one is gone");
    hear(); /* it has written, and has both open */
    is(memory, 6);
    CHECK(cuMemFreeAsync(memory, NULL)); /* which it then keeps */
    EXPECT(cuMemFreeAsync(memory, NULL), CUDA_ERROR_INVALID_VALUE);
    say();
    hear(); /* it has closed both */
    CHECK(cuMemFreeAsync(other_memory, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemAlloc(&memory, BYTES)); /* looks for what nobody has open any more */
    CHECK(cuMemFree(memory));
    CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved));
    REQUIRE(reserved == 0, "%llu bytes are kept", (unsigned long long)reserved);
    CHECK(cuMemPoolDestroy(pool));
    CHECK(cuMemPoolDestroy(other));
    return 0;
}

static CUmemoryPool import(pid_t maker, int number)
{
    char path[64];
    CUmemoryPool pool;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)maker, number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0, "no %s", path);
    CHECK(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    close(file);
    return pool;
}

static void user(pid_t child)
{
    struct told told;
    CUdeviceptr memory, twice, other_memory, none;
    CUstream stream;
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
    open_device();
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    REQUIRE(read(from, &told, sizeof told) == sizeof told, "the other one is gone");
    CUmemoryPool pool = import(child, told.file), other = import(child, told.other_file);
    CHECK(cuMemPoolGetAccess(&flags, pool, &here));
    REQUIRE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, "%d", (int)flags);
    EXPECT(cuMemAllocFromPoolAsync(&none, BYTES, pool, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolImportPointer(&none, pool, &told.other_memory), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPoolImportPointer(&memory, pool, &told.memory));
    CHECK(cuMemPoolImportPointer(&twice, pool, &told.memory));
    CHECK(cuMemPoolImportPointer(&other_memory, other, &told.other_memory));
    EXPECT(cuIpcCloseMemHandle(memory), CUDA_ERROR_INVALID_VALUE);
    is(memory, 5);
    is(other_memory, 9);
    CHECK(cuMemsetD32Async(memory, 6, COUNT, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemFreeAsync(twice, stream));
    say();
    hear(); /* it has freed what is open here */
    is(memory, 6);
    CHECK(cuMemsetD32Async(memory, 7, COUNT, stream));
    CHECK(cuMemFreeAsync(memory, stream));
    EXPECT(cuMemFreeAsync(memory, stream), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemFree(other_memory));
    EXPECT(cuMemFree(other_memory), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPoolDestroy(pool));
    CHECK(cuMemPoolDestroy(other));
    say();
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0, "the other one ended with %x", (unsigned)status);
}

int main(void)
{
    int there[2], back[2], types = 0;
    REQUIRE(pipe(there) == 0 && pipe(back) == 0, "no pipes");
    fflush(stdout);
    pid_t child = fork(); /* before anybody knows of a device */
    from = child == 0 ? there[0] : back[0];
    to = child == 0 ? back[1] : there[1];
    close(child == 0 ? there[1] : back[1]);
    close(child == 0 ? back[0] : there[0]);
    CHECK(cuInit(0));
    CHECK(cuDeviceGetAttribute(&types, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 0));
    if (child == 0)
        return types != 0 ? maker() : 0;
    if (types != 0)
        user(child);
    printf("ok %s\n", types != 0 ? "shared" : "not on this device");
    return 0;
}
