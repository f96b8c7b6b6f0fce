/* Threads with a stream each move data at random, while the stream is held or runs, and compare with a
 * model: nothing comes too early, too late, or from a buffer that was changed meanwhile. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 1500, BUFFERS = 4, BYTES = 200000, SHIFT = 7 };

static CUcontext context;
static CUfunction wait_for;
static uint64_t seed;

struct worker {
    uint64_t random;
    CUstream stream;
    CUdeviceptr device[BUFFERS];
    unsigned char *model[BUFFERS]; /* what the device has when the stream has run */
    unsigned char *pageable[BUFFERS], *pinned[BUFFERS], *registered[BUFFERS];
    volatile int *gate;
};

static unsigned below(struct worker *worker, unsigned limit)
{
    worker->random = worker->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(worker->random >> 33) % limit;
}

static void scramble(struct worker *worker, unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)below(worker, 256);
}

/* The stream stands still until the gate is opened. */
static void hold(struct worker *worker)
{
    *worker->gate = 0;
    CUdeviceptr gate = (CUdeviceptr)(uintptr_t)worker->gate;
    CHECK(LAUNCH(wait_for, 1, 1, 0, worker->stream, &gate));
}

static void open_gate(struct worker *worker)
{
    *worker->gate = 1;
    CHECK(cuStreamSynchronize(worker->stream));
}

static void compare(struct worker *worker, int buffer, const unsigned char *data, size_t offset, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        REQUIRE(data[i] == worker->model[buffer][offset + i], "byte %zu of buffer %d is %d, not %d; seed %llu", offset + i, buffer, data[i],
                worker->model[buffer][offset + i], (unsigned long long)seed);
}

/* Held: from memory that changes right after the call, back to memory that the device fills later. */
static void held(struct worker *worker, int one, int two, size_t offset, size_t bytes, unsigned char *host, unsigned char *back)
{
    CHECK(cuStreamSynchronize(worker->stream));
    scramble(worker, host, bytes);
    scramble(worker, worker->pageable[one], bytes);
    hold(worker);
    CHECK(cuMemcpyHtoDAsync(worker->device[one] + offset, worker->pageable[one], bytes, worker->stream));
    memcpy(worker->model[one] + offset, worker->pageable[one], bytes);
    memset(worker->pageable[one], 0xEE, bytes);
    CHECK(cuMemcpyHtoDAsync(worker->device[two] + offset, host, bytes, worker->stream));
    memcpy(worker->model[two] + offset, host, bytes);
    CHECK(cuMemcpyDtoHAsync(back, worker->device[one] + offset, bytes, worker->stream));
    open_gate(worker);
    compare(worker, one, back, offset, bytes);
}

static void rectangle(struct worker *worker, int from, int to)
{
    size_t width = 1 + below(worker, 100), height = 1 + below(worker, 50);
    CUDA_MEMCPY2D copy = {.WidthInBytes = width, .Height = height, .srcMemoryType = CU_MEMORYTYPE_HOST, .dstMemoryType = CU_MEMORYTYPE_DEVICE};
    scramble(worker, worker->pageable[from], 10000);
    copy.srcHost = worker->pageable[from];
    copy.srcPitch = width + below(worker, 50);
    copy.dstDevice = worker->device[to];
    copy.dstPitch = width + below(worker, 50);
    copy.dstY = below(worker, 5);
    CHECK(cuMemcpy2DAsync(&copy, worker->stream));
    for (size_t y = 0; y < height; y++)
        memcpy(worker->model[to] + (copy.dstY + y) * copy.dstPitch, worker->pageable[from] + y * copy.srcPitch, width);
    memset(worker->pageable[from], 0xEE, 10000);
}

static void through_pool(struct worker *worker, int from, int to, size_t offset, size_t bytes)
{
    CUdeviceptr between;
    if (bytes == 0)
        return;
    CHECK(cuMemAllocAsync(&between, bytes, worker->stream));
    CHECK(cuMemcpyDtoDAsync(between, worker->device[from] + offset, bytes, worker->stream));
    CHECK(cuMemcpyDtoDAsync(worker->device[to] + offset, between, bytes, worker->stream));
    CHECK(cuMemFreeAsync(between, worker->stream));
    memmove(worker->model[to] + offset, worker->model[from] + offset, bytes);
}

static void step(struct worker *worker)
{
    int one = (int)below(worker, BUFFERS), two = (one + 1 + (int)below(worker, BUFFERS - 1)) % BUFFERS;
    size_t offset = below(worker, BYTES), bytes = below(worker, 3) != 0 ? below(worker, 6000) : below(worker, BYTES);
    bytes = offset + bytes > BYTES ? BYTES - offset : bytes;
    unsigned char value = (unsigned char)below(worker, 256);
    switch (below(worker, 9)) {
    case 0:
        held(worker, one, two, offset, bytes, worker->pinned[one], worker->pinned[two]);
        break;
    case 1:
        held(worker, one, two, offset, bytes, worker->registered[one] + SHIFT, worker->registered[two] + SHIFT);
        break;
    case 2:
        rectangle(worker, one, two);
        break;
    case 3:
        through_pool(worker, one, two, offset, bytes);
        break;
    case 4:
        CHECK(cuMemsetD8Async(worker->device[one] + offset, value, bytes, worker->stream));
        memset(worker->model[one] + offset, value, bytes);
        break;
    case 5:
        CHECK(cuMemFree(worker->device[one])); /* waits, and mostly gets the same memory again */
        worker->device[one] = allocate(BYTES);
        CHECK(cuMemsetD8Async(worker->device[one], value, BYTES, worker->stream));
        memset(worker->model[one], value, BYTES);
        break;
    case 6:
        CHECK(cuMemHostUnregister(worker->registered[one] + SHIFT));
        CHECK(cuMemHostRegister(worker->registered[one] + SHIFT, BYTES, 0));
        break;
    default:
        CHECK(cuMemcpyDtoHAsync(worker->pageable[two], worker->device[one] + offset, bytes, worker->stream));
        CHECK(cuStreamSynchronize(worker->stream));
        compare(worker, one, worker->pageable[two], offset, bytes);
    }
}

static void *run(void *data)
{
    struct worker *worker = data;
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreate(&worker->stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAllocHost((void **)(uintptr_t)&worker->gate, sizeof(int)));
    for (int i = 0; i < BUFFERS; i++) {
        worker->device[i] = allocate(BYTES);
        CHECK(cuMemsetD8Async(worker->device[i], 0, BYTES, worker->stream));
        CHECK(cuMemAllocHost((void **)&worker->pinned[i], BYTES));
        worker->model[i] = calloc(1, BYTES);
        worker->pageable[i] = malloc(BYTES);
        worker->registered[i] = malloc(BYTES + SHIFT);
        CHECK(cuMemHostRegister(worker->registered[i] + SHIFT, BYTES, 0));
    }
    for (int i = 0; i < ROUNDS; i++)
        step(worker);
    for (int i = 0; i < BUFFERS; i++) {
        CHECK(cuMemFree(worker->device[i]));
        CHECK(cuMemFreeHost(worker->pinned[i]));
        CHECK(cuMemHostUnregister(worker->registered[i] + SHIFT));
        free(worker->registered[i]);
        free(worker->pageable[i]);
        free(worker->model[i]);
    }
    CHECK(cuMemFreeHost((void *)(uintptr_t)worker->gate));
    return NULL;
}

int main(int count, char **arguments)
{
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    seed = count > 1 ? strtoull(arguments[1], NULL, 0) : (uint64_t)getpid() * 2654435761u;
    context = open_device();
    wait_for = kernel(load_kernels(), "wait_for");
    for (int i = 0; i < THREADS; i++) {
        workers[i].random = seed + (uint64_t)i;
        pthread_create(&threads[i], NULL, run, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(cuCtxSynchronize());
    printf("ok %d threads, seed %llu\n", THREADS, (unsigned long long)seed);
    return 0;
}
