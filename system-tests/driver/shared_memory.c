/* Memory and events that two processes share: physical memory by file descriptors, allocations and events by handles. Then the
 * one that made them is killed while the other one computes. */
#include "check.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRANULE ((size_t)2 << 20)

enum { COUNT = 100000 };

/* What the maker tells. */
struct told {
    CUipcMemHandle memory;
    CUipcEventHandle event;
};

static int connection;

static void send_descriptor(int file)
{
    char control[CMSG_SPACE(sizeof file)] = {0}, byte = 0;
    struct iovec data = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    REQUIRE(sendmsg(connection, &message, 0) == 1, "a descriptor is not sent");
}

static int receive_descriptor(void)
{
    int file = -1;
    char control[CMSG_SPACE(sizeof file)], byte;
    struct iovec data = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    REQUIRE(recvmsg(connection, &message, 0) == 1 && CMSG_FIRSTHDR(&message) != NULL, "no descriptor comes");
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

static void say(void)
{
    REQUIRE(write(connection, "x", 1) == 1, "the other one is gone");
}

static void hear(void)
{
    char byte;
    REQUIRE(read(connection, &byte, 1) == 1, "the other one is gone");
}

static CUmemAccessDesc all_rights = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

static CUdeviceptr map(CUmemGenericAllocationHandle handle)
{
    CUdeviceptr address = 0;
    CHECK(cuMemAddressReserve(&address, GRANULE, 0, 0, 0));
    CHECK(cuMemMap(address, GRANULE, 0, handle, 0));
    CHECK(cuMemSetAccess(address, GRANULE, &all_rights, 1));
    return address;
}

static int maker(void)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemGenericAllocationHandle handle;
    struct told told;
    CUevent event;
    CUfunction scale;
    int file = -1, count = COUNT;
    hear(); /* the other one has counted what is there */
    open_device();
    scale = kernel(load_kernels(), "scale");
    CHECK(cuMemCreate(&handle, GRANULE, &properties, 0));
    CUdeviceptr mapped = map(handle), own = allocate(COUNT * sizeof(int));
    CHECK(cuMemsetD32(mapped, 11, COUNT));
    CHECK(cuMemsetD32(own, 5, COUNT));
    CHECK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    EXPECT(cuIpcGetMemHandle(&told.memory, mapped), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuIpcGetMemHandle(&told.memory, own + 100));
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    CHECK(cuIpcGetEventHandle(&told.event, event));
    CUdeviceptr opened;
    EXPECT(cuIpcOpenMemHandle(&opened, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuCtxSynchronize());
    REQUIRE(write(connection, &told, sizeof told) == sizeof told, "the other one is gone");
    send_descriptor(file);
    close(file);
    hear(); /* it has added to both */
    int back = 0;
    CHECK(cuMemcpyDtoH(&back, mapped + 4 * (COUNT - 1), 4));
    REQUIRE(back == 12, "%d in mapped memory", back);
    CHECK(cuMemcpyDtoH(&back, own + 4 * (COUNT - 1), 4));
    REQUIRE(back == 6, "%d in the allocation", back);
    CHECK(LAUNCH(scale, (COUNT + 127) / 128, 128, 0, NULL, &own, &count));
    CHECK(cuEventRecord(event, NULL));
    CHECK(cuMemFree(own)); /* the other one still has it */
    say();
    char byte; /* until it is killed, or the other one is gone */
    return read(connection, &byte, 1) == 0;
}

static void add(CUdeviceptr cells, int value)
{
    static int data[COUNT];
    CHECK(cuMemcpyDtoH(data, cells, sizeof data));
    for (int i = 0; i < COUNT; i++)
        data[i] += value;
    CHECK(cuMemcpyHtoD(cells, data, sizeof data));
    CHECK(cuCtxSynchronize()); /* a copy of a few bytes may return before they are there, and this is told to others */
}

/* What the kernel scale makes of a value, so many times. */
static int scaled(int value, int i, int times)
{
    const int offsets[] = {1, 10, 100, 1000};
    return times == 0 ? value : scaled(value * 3 + offsets[i % 4], i, times - 1);
}

static void is(CUdeviceptr cells, int first, int times, const char *what)
{
    static int data[COUNT];
    CHECK(cuMemcpyDtoH(data, cells, sizeof data));
    for (int i = 0; i < COUNT; i++)
        REQUIRE(data[i] == scaled(first, i, times), "%s: element %d is %d", what, i, data[i]);
}

static size_t available(void)
{
    size_t left, all;
    CHECK(cuMemGetInfo(&left, &all));
    return left;
}

static void user(pid_t child)
{
    struct told told;
    CUmemGenericAllocationHandle handle;
    CUdeviceptr own = 0, twice = 0;
    CUevent event;
    CUstream stream;
    int count = COUNT, status;
    open_device();
    CUfunction scale = kernel(load_kernels(), "scale");
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    size_t before = available();
    say();
    REQUIRE(read(connection, &told, sizeof told) == sizeof told, "the other one is gone");
    int file = receive_descriptor();
    CHECK(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    EXPECT(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), CUDA_ERROR_INVALID_VALUE);
    CUdeviceptr mapped = map(handle);
    CHECK(cuIpcOpenMemHandle(&own, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    CHECK(cuIpcOpenMemHandle(&twice, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    REQUIRE(own == twice, "it is open at two places");
    CHECK(cuIpcCloseMemHandle(twice));
    CHECK(cuIpcOpenEventHandle(&event, told.event));
    CHECK(cuEventQuery(event));
    is(mapped, 11, 0, "mapped memory");
    is(own, 5, 0, "the allocation");
    add(mapped, 1);
    add(own, 1);
    say();
    hear(); /* it has recorded the event */
    CHECK(cuStreamWaitEvent(stream, event, 0));
    CHECK(LAUNCH(scale, (COUNT + 127) / 128, 128, 0, stream, &own, &count));
    CHECK(cuEventRecord(event, stream));
    CHECK(cuEventSynchronize(event));
    is(own, 6, 2, "the allocation, freed by who made it");
    for (int i = 0; i < 50; i++) {
        CHECK(LAUNCH(scale, (COUNT + 127) / 128, 128, 0, stream, &mapped, &count));
        if (i == 10)
            kill(child, SIGKILL);
    }
    REQUIRE(waitpid(child, &status, 0) == child && WIFSIGNALED(status), "it has ended by itself: %x", (unsigned)status);
    CHECK(cuMemsetD32Async(mapped, 4, COUNT, stream));
    CHECK(LAUNCH(scale, (COUNT + 127) / 128, 128, 0, stream, &mapped, &count));
    CHECK(cuStreamSynchronize(stream));
    is(mapped, 4, 1, "mapped memory of one that is dead");
    is(own, 6, 2, "an allocation of one that is dead");
    /* Whoever is left pays, and gets it back. */
    CHECK(cuIpcCloseMemHandle(own));
    EXPECT(cuIpcCloseMemHandle(own), CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemUnmap(mapped, GRANULE));
    CHECK(cuMemRelease(handle));
    for (int i = 0; i < 10000 && available() != before; i++)
        usleep(1000); /* what the dead one had goes in its own time */
    REQUIRE(available() == before, "%zu bytes are left behind", before - available());
}

int main(void)
{
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "no sockets");
    fflush(stdout);
    pid_t child = fork(); /* before anybody knows of a device */
    connection = pair[child == 0];
    close(pair[child != 0]);
    if (child == 0) {
        int there = 0;
        CHECK(cuInit(0));
        CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
        return there ? maker() : 0;
    }
    int there = 0;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetAttribute(&there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    if (there)
        user(child);
    printf("ok %s\n", there ? "shared" : "not on this device");
    return 0;
}
