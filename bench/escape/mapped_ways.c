/* Memory that is mapped at addresses of the program's choice, and memory that processes share. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "escape.h"

#define GRANULE ((size_t)2 << 20)

static const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                               .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                               .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
static const CUmemAccessDesc rights = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static size_t granules(size_t bytes)
{
    return bytes < GRANULE ? GRANULE : bytes / GRANULE * GRANULE;
}

/* All mappings of this way have this size. */
static size_t mapped_bytes;

static void give_mapped(CUdeviceptr address)
{
    MUST(cuMemUnmap(address, mapped_bytes));
    MUST(cuMemAddressFree(address, mapped_bytes));
}

static CUdeviceptr map(CUmemGenericAllocationHandle handle, size_t bytes)
{
    CUdeviceptr address;
    MUST(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    MUST(cuMemMap(address, bytes, 0, handle, 0));
    MUST(cuMemSetAccess(address, bytes, &rights, 1));
    return address;
}

/* Released at once: it is there as long as it is mapped. */
static int take_mapped(size_t bytes)
{
    CUmemGenericAllocationHandle handle;
    mapped_bytes = GRANULE;
    (void)bytes;
    CUresult result = cuMemCreate(&handle, GRANULE, &properties, 0);
    if (result != CUDA_SUCCESS)
        return result;
    CUdeviceptr address = map(handle, GRANULE);
    MUST(cuMemRelease(handle));
    got_by(address, GRANULE, give_mapped);
    return CUDA_SUCCESS;
}

static int mapped(size_t want)
{
    return take_pieces(want, GRANULE, take_mapped);
}

/* Unmapped while kernels use it, made again at once: never is more there than was counted. */
static int remapped(size_t want)
{
    int value = 0;
    for (int i = 0; i < 100; i++) {
        CUmemGenericAllocationHandle handle;
        CUresult result = cuMemCreate(&handle, granules(want / 2), &properties, 0);
        if (result == CUDA_ERROR_OUT_OF_MEMORY)
            break;
        MUST(result);
        CUdeviceptr address = map(handle, granules(want / 2));
        MUST(cuMemsetD32Async(address, (unsigned)value++, granules(want / 2) / 4, NULL));
        MUST(cuMemRelease(handle));
        MUST(cuMemUnmap(address, granules(want / 2)));
        MUST(cuMemAddressFree(address, granules(want / 2)));
    }
    return take_pieces(want, GRANULE, take_mapped);
}

/* Exported, released and imported again: the name alone keeps nothing. */
static int take_exported(size_t bytes)
{
    CUmemGenericAllocationHandle handle, same;
    int file = -1;
    mapped_bytes = GRANULE;
    (void)bytes;
    CUresult result = cuMemCreate(&handle, GRANULE, &properties, 0);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    MUST(cuMemImportFromShareableHandle(&same, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    MUST(cuMemRelease(handle));
    CUdeviceptr address = map(same, GRANULE);
    CUmemGenericAllocationHandle third;
    MUST(cuMemRetainAllocationHandle(&third, (void *)(uintptr_t)address));
    MUST(cuMemRelease(third));
    MUST(cuMemRelease(same));
    got_by(address, GRANULE, give_mapped);
    return CUDA_SUCCESS;
}

static int exported(size_t want)
{
    return take_pieces(want, GRANULE, take_exported);
}

/* ---- what dead processes allocated, and this one has open */

enum { PIECE = 8 << 20, MOST = 64 };

struct told {
    int result;
    CUipcMemHandle handle;
    int file; /* of a pool, and what is taken from it */
    CUmemPoolPtrExportData data;
};

static bool pooled;

static struct {
    pid_t process;
    int to, from;
} makers[MOST];

static int make_in_pool(struct told *told)
{
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemoryPool pool;
    CUdeviceptr address;
    MUST(cuMemPoolCreate(&pool, &wanted));
    CUresult result = cuMemAllocFromPoolAsync(&address, PIECE, pool, NULL);
    if (result != CUDA_SUCCESS)
        return (int)result;
    MUST(cuMemPoolExportToShareableHandle(&told->file, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    return (int)cuMemPoolExportPointer(&told->data, address);
}

static int import_from(pid_t maker, struct told *told, CUdeviceptr *address)
{
    CUmemoryPool pool;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)maker, told->file);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    MUST(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    close(file);
    return (int)cuMemPoolImportPointer(address, pool, &told->data);
}

static void make(int to, int from)
{
    struct told told = {.result = 0};
    CUdeviceptr address;
    char byte;
    if (read(from, &byte, 1) != 1)
        _exit(0);
    open_device();
    if (pooled)
        told.result = make_in_pool(&told);
    else
        told.result = (int)cuMemAlloc(&address, PIECE);
    if (told.result == CUDA_SUCCESS && !pooled)
        told.result = (int)cuIpcGetMemHandle(&told.handle, address);
    if (write(to, &told, sizeof told) != sizeof told || read(from, &byte, 1) != 1)
        _exit(1);
    _exit(0);
}

/* Before this process knows of a device. */
static void begin_maker(int number)
{
    int there[2], back[2];
    if (pipe(there) != 0 || pipe(back) != 0)
        must(-1, "no pipes");
    fflush(stdout);
    makers[number].process = fork();
    if (makers[number].process == 0) {
        close(back[1]);
        for (int i = 0; i < number; i++)
            close(makers[i].to); /* else nobody hears that it is closed */
        make(there[1], back[0]);
    }
    close(there[1]), close(back[0]);
    makers[number].from = there[0];
    makers[number].to = back[1];
}

static void give_opened(CUdeviceptr address)
{
    if (pooled)
        MUST(cuMemFreeAsync(address, NULL));
    else
        MUST(cuIpcCloseMemHandle(address));
}

static int open_from(int number)
{
    struct told told;
    CUdeviceptr address;
    if (write(makers[number].to, "x", 1) != 1 || read(makers[number].from, &told, sizeof told) != sizeof told)
        must(-1, "a process that was to share something");
    int result = told.result;
    if (result == CUDA_SUCCESS && pooled)
        result = import_from(makers[number].process, &told, &address);
    else if (result == CUDA_SUCCESS)
        result = (int)cuIpcOpenMemHandle(&address, told.handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    /* It ends before anything is marked. */
    close(makers[number].to);
    if (waitpid(makers[number].process, NULL, 0) != makers[number].process)
        must(-1, "a process that shared something");
    makers[number].process = 0;
    if (result == CUDA_SUCCESS)
        got_by(address, PIECE, give_opened);
    return result;
}

static int opened(size_t want)
{
    int count = (int)(want / PIECE) + 1, result = CUDA_SUCCESS;
    count = count > MOST ? MOST : count;
    for (int i = 0; i < count; i++)
        begin_maker(i);
    open_device();
    for (int i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = open_from(i);
    for (int i = 0; i < count; i++)
        if (makers[i].process != 0) {
            close(makers[i].to);
            waitpid(makers[i].process, NULL, 0);
        }
    return result;
}

static int imported(size_t want)
{
    pooled = true;
    return opened(want);
}

const struct way mapped_ways[] = {
    {.name = "cuMemCreate",
     .kind = MEMORY,
     .take = mapped,
     .calls = "cuMemAddressReserve cuMemAddressFree cuMemCreate cuMemRelease cuMemMap cuMemUnmap cuMemSetAccess"},
    {.name = "cuMemUnmap-in-use", .kind = MEMORY, .take = remapped, .calls = "cuMemCreate cuMemMap cuMemUnmap"},
    {.name = "cuMemExport",
     .kind = MEMORY,
     .take = exported,
     .calls = "cuMemExportToShareableHandle cuMemImportFromShareableHandle cuMemRetainAllocationHandle"},
    {.name = "cuIpcOpenMemHandle",
     .kind = MEMORY,
     .take = opened,
     .late = true,
     .calls =
         "cuIpcGetMemHandle cuIpcOpenMemHandle cuIpcOpenMemHandle_v2 cuIpcCloseMemHandle cudaIpcGetMemHandle cudaIpcOpenMemHandle cudaIpcCloseMemHandle"},
    {.name = "cuMemPoolImportPointer",
     .kind = MEMORY,
     .take = imported,
     .late = true,
     .calls = "cuMemPoolExportToShareableHandle cuMemPoolExportPointer cuMemPoolImportFromShareableHandle cuMemPoolImportPointer "
              "cudaMemPoolExportToShareableHandle cudaMemPoolExportPointer cudaMemPoolImportFromShareableHandle cudaMemPoolImportPointer"},
    {.name = NULL},
};
