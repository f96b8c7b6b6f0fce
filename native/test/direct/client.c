/* A program in the direct engine, on the driver of vendor.c. What it finds is said in the last line: ok, or what was wrong before it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"
#include "facet_cuda.h"

#define MIB (1ull << 20)

struct cu_future {
    double first, second, third;
    long fourth;
};

double cuFutureFloats(double a, float b, double c, double d, float e, double f, double g, double h, double i, float j);
long cuFutureIntegers(long a, int b, long c, int d, long e, int f, long g, int h, struct cu_future i, unsigned char j);
struct cu_future cuFutureStructure(struct cu_future given, int factor);
int cuFutureList(int count, ...);
extern int cuFutureNumber, fake_advised, fake_prefetched;

static CUcontext context;

static void start(void)
{
    CUdevice device;
    CHECK_EQUAL(CUDA_SUCCESS, cuInit(0));
    CHECK_EQUAL(CUDA_SUCCESS, cuDeviceGet(&device, 0));
    CHECK_EQUAL(CUDA_SUCCESS, cuCtxCreate_v2(&context, 0, device));
}

static size_t left(void)
{
    size_t now = 0, total = 0;
    CHECK_EQUAL(CUDA_SUCCESS, cuMemGetInfo_v2(&now, &total));
    return now;
}

/* Calls that no table knows, linked and by dlsym. */
static void unknown(void)
{
    struct cu_future given = {1.5, 2.5, 3.5, 4};
    start();
    CHECK(cuFutureFloats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385);
    CHECK_EQUAL(1 + 4 + 9 + 16 + 25 + 36 + 49 + 64 + 7 + 4 + 200, cuFutureIntegers(1, 2, 3, 4, 5, 6, 7, 8, given, 200));
    struct cu_future back = cuFutureStructure(given, 3);
    CHECK(back.first == 4.5 && back.second == 7.5 && back.third == 10.5 && back.fourth == 12);
    CHECK_EQUAL(1 + 2 + 3 + 4 + 5, cuFutureList(5, 1, 2.0, 3, 4.0, 5));
    CHECK_EQUAL(4711, cuFutureNumber);
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(library != NULL);
    int (*list)(int, ...) = (int (*)(int, ...))(uintptr_t)dlsym(library, "cuFutureList");
    CHECK(list != NULL);
    CHECK_EQUAL(3, list(2, 1, 2.0));
    CHECK(dlsym(library, "cuFutureNumber") == (void *)&cuFutureNumber);
    CHECK(dlsym(library, "cuNobodyHasThis") == NULL);
}

/* The same in a slice that does not allow them. */
static void strict(void)
{
    start();
    CHECK_EQUAL(CUDA_ERROR_NOT_PERMITTED, cuFutureList(2, 1, 2.0));
    CUdeviceptr address;
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, MIB));
}

/* Functions by cuGetProcAddress obey the rules. */
static void pointers(void)
{
    CUresult (*allocate)(CUdeviceptr *, size_t) = NULL;
    CUdriverProcAddressQueryResult status;
    start();
    size_t before = left();
    CHECK_EQUAL(CUDA_SUCCESS, cuGetProcAddress_v2("cuMemAlloc", (void **)&allocate, 12000, 0, &status));
    CUdeviceptr address;
    CHECK_EQUAL(CUDA_SUCCESS, allocate(&address, 8 * MIB));
    CHECK_EQUAL(8 * MIB, before - left());
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, allocate(&address, 512 * MIB));
    CUresult (*manage)(CUdeviceptr *, size_t, unsigned int) = NULL;
    CHECK_EQUAL(CUDA_SUCCESS, cuGetProcAddress("cuMemAllocManaged", (void **)&manage, 12000, 0));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, manage(&address, 512 * MIB, 1));
    /* A version that the tables do not know is the vendor's own. */
    CUresult (*newer)(CUdeviceptr *, size_t, int, float) = NULL;
    CHECK_EQUAL(CUDA_SUCCESS, cuGetProcAddress_v2("cuMemAlloc", (void **)&newer, 14000, 0, &status));
    CHECK_EQUAL(CUDA_SUCCESS, newer(&address, 100, 20, 3.0f));
    CHECK_EQUAL(123, address);
    void *none = &none;
    CHECK_EQUAL(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("cuNobodyHasThis", &none, 12000, 0, &status));
}

/* Every way to get memory, until there is none; and back. All of it is the slice's: 64 MiB. */
static void charges(void)
{
    start();
    size_t before = left();
    CHECK_EQUAL(64 * MIB, before);
    CUdeviceptr a, b;
    size_t pitch;
    CUarray array;
    CUmipmappedArray mipmap;
    CUmemGenericAllocationHandle handle;
    CUDA_ARRAY_DESCRIPTOR flat = {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 2};
    CUDA_ARRAY3D_DESCRIPTOR box = {.Width = 256, .Height = 256, .Depth = 16, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR levels = {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
    CUmemAllocationProp device = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&a, 1));
    CHECK_EQUAL(256, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemFree_v2(a));
    CHECK_EQUAL(0, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAllocManaged(&a, 4 * MIB, 1));
    CHECK_EQUAL(4 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAllocPitch_v2(&b, &pitch, 1000, 1024, 4));
    CHECK_EQUAL(4 * MIB + 1024 * 1024, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemFree_v2(a));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemFree_v2(b));
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayCreate_v2(&array, &flat));
    CHECK_EQUAL(8 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayDestroy(array));
    CHECK_EQUAL(CUDA_SUCCESS, cuArray3DCreate_v2(&array, &box));
    CHECK_EQUAL(4 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayDestroy(array));
    CHECK_EQUAL(CUDA_SUCCESS, cuMipmappedArrayCreate(&mipmap, &levels, 2));
    CHECK_EQUAL(5 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMipmappedArrayDestroy(mipmap));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemCreate(&handle, 16 * MIB, &device, 0));
    CHECK_EQUAL(16 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemMap(0x10000000, 16 * MIB, 0, handle, 0));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemRelease(handle));
    CHECK_EQUAL(16 * MIB, before - left()); /* it is still mapped */
    CHECK_EQUAL(CUDA_SUCCESS, cuMemUnmap(0x10000000, 16 * MIB));
    CHECK_EQUAL(0, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAllocAsync(&a, MIB, NULL));
    CHECK_EQUAL(32 * MIB, before - left()); /* what the pool holds */
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAllocAsync(&b, MIB, NULL));
    CHECK_EQUAL(32 * MIB, before - left());
    CHECK_EQUAL(CUDA_SUCCESS, cuMemFreeAsync(a, NULL));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemFreeAsync(b, NULL));
    CHECK_EQUAL(32 * MIB, before - left());
    CUmemoryPool pool;
    CHECK_EQUAL(CUDA_SUCCESS, cuDeviceGetMemPool(&pool, 0));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemPoolTrimTo(pool, 0));
    CHECK_EQUAL(0, before - left());
    /* More than there is, in every way. */
    flat.Width = flat.Height = 1 << 16;
    box.Depth = levels.Width = 1 << 16;
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&a, 64 * MIB + 1));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&a, SIZE_MAX));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocManaged(&a, 128 * MIB, 1));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch_v2(&a, &pitch, 1, 65537, 4)); /* only the pitch makes it too much */
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch_v2(&a, &pitch, SIZE_MAX, SIZE_MAX, 4));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuArrayCreate_v2(&array, &flat));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuArray3DCreate_v2(&array, &box));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMipmappedArrayCreate(&mipmap, &levels, 1));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, 65 * MIB, &device, 0));
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&a, 65 * MIB, NULL));
    CHECK_EQUAL(0, before - left());
    /* All of it, to the last byte; and with its context it ends. */
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&a, 64 * MIB));
    CHECK_EQUAL(0, left());
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&b, 1));
    CHECK_EQUAL(CUDA_SUCCESS, cuCtxDestroy_v2(context));
    CHECK_EQUAL(CUDA_SUCCESS, cuCtxCreate_v2(&context, 0, 0));
    CHECK_EQUAL(0, before - left());
    size_t total;
    CHECK_EQUAL(CUDA_SUCCESS, cuDeviceTotalMem_v2(&total, 0));
    CHECK_EQUAL(64 * MIB, total);
}

/* A call of the vendor's fails: whatever it was, nothing is charged that is not there, and what is there stays charged. */
static void errors(void)
{
    CUdeviceptr a = 0, b = 0;
    size_t pitch;
    CUarray array;
    CUmipmappedArray mipmap;
    CUmemGenericAllocationHandle handle;
    CUDA_ARRAY_DESCRIPTOR flat = {.Width = 16, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR box = {.Width = 16, .Height = 16, .Depth = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUmemAllocationProp device = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUdevice number;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&number, 0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, 0) != CUDA_SUCCESS)
        return; /* said so, and nothing more can be tried */
    size_t free_now = 0, total = 0;
    if (cuMemGetInfo_v2(&free_now, &total) != CUDA_SUCCESS)
        return;
    size_t before = free_now, expected = 0;
    if (cuMemAlloc_v2(&a, MIB) == CUDA_SUCCESS && cuMemFree_v2(a) != CUDA_SUCCESS)
        expected += MIB;
    if (cuMemAllocManaged(&a, MIB, 1) == CUDA_SUCCESS && cuMemFree_v2(a) != CUDA_SUCCESS)
        expected += MIB;
    if (cuMemAllocPitch_v2(&a, &pitch, 1024, 1024, 4) == CUDA_SUCCESS && cuMemFree_v2(a) != CUDA_SUCCESS)
        expected += MIB;
    if (cuArrayCreate_v2(&array, &flat) == CUDA_SUCCESS && cuArrayDestroy(array) != CUDA_SUCCESS)
        expected += 1024;
    if (cuArray3DCreate_v2(&array, &box) == CUDA_SUCCESS && cuArrayDestroy(array) != CUDA_SUCCESS)
        expected += 16384;
    if (cuMipmappedArrayCreate(&mipmap, &box, 1) == CUDA_SUCCESS && cuMipmappedArrayDestroy(mipmap) != CUDA_SUCCESS)
        expected += 16384;
    if (cuMemCreate(&handle, 2 * MIB, &device, 0) == CUDA_SUCCESS) {
        bool mapped = cuMemMap(0x10000000, 2 * MIB, 0, handle, 0) == CUDA_SUCCESS;
        bool released = cuMemRelease(handle) == CUDA_SUCCESS;
        bool unmapped = !mapped || cuMemUnmap(0x10000000, 2 * MIB) == CUDA_SUCCESS;
        expected += released && unmapped ? 0 : 2 * MIB;
    }
    if (cuMemAllocAsync(&b, MIB, NULL) == CUDA_SUCCESS) {
        CUmemoryPool pool;
        bool freed = cuMemFreeAsync(b, NULL) == CUDA_SUCCESS, there = cuDeviceGetMemPool(&pool, 0) == CUDA_SUCCESS;
        bool trimmed = freed && there && cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS;
        const char *trouble = getenv("FAKE_TROUBLE");
        bool dumb = trouble != NULL && strstr(trouble, "cuMemPoolGetAttribute") != NULL;
        expected += dumb ? MIB : trimmed ? 0 : 32 * MIB; /* a pool that tells nothing is charged by what it was asked for */
    }
    CHECK_EQUAL(CUDA_SUCCESS, cuMemGetInfo_v2(&free_now, &total));
    CHECK_EQUAL(expected, before - free_now);
}

/* Takes memory, says so, and waits to be killed. */
static void hold(void)
{
    CUdeviceptr address;
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, 48 * MIB));
    printf("holds\n");
    fflush(stdout);
    if (getenv("FAKE_TROUBLE") != NULL) { /* one of these does not come back */
        cuMemAllocManaged(&address, MIB, 1);
        cuCtxSynchronize();
    }
    for (;;)
        pause();
}

/* A child has none of its parent's; it may begin anew with another program. */
static void forks(const char *self)
{
    CUdeviceptr address;
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, 40 * MIB));
    pid_t child = fork();
    if (child == 0) {
        CUdeviceptr more;
        CHECK(cuMemAlloc_v2(&more, MIB) != CUDA_SUCCESS);
        CHECK(cuInit(0) != CUDA_SUCCESS);
        if (CHECK_RESULT() == 0)
            execl(self, self, "second", (char *)NULL);
        _exit(9);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* The daemon learns of its end a moment later. */
    for (int i = 0; i < 3000 && left() != 24 * MIB; i++)
        usleep(10000);
    CHECK_EQUAL(24 * MIB, left());
}

/* Beside a process that has 40 of 64 MiB. */
static void second(void)
{
    CUdeviceptr address;
    start();
    CHECK_EQUAL(24 * MIB, left());
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, 25 * MIB));
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, 24 * MIB));
}

/* Replaces itself by another program: what it had is free. */
static void execs(const char *self)
{
    CUdeviceptr address;
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, 60 * MIB));
    if (CHECK_RESULT() == 0)
        execl(self, self, "whole", (char *)NULL);
}

/* The claim waits for programs that are about to leave. */
static void whole(void)
{
    CUdeviceptr address;
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&address, 64 * MIB));
}

/* The library is unloaded and loaded, by the path of the vendor's own file. */
static void by_path(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    CHECK(library != NULL);
    CHECK(dlsym(library, "cuMemAlloc_v2") == (void *)(uintptr_t)cuMemAlloc_v2);
    CHECK_EQUAL(0, dlclose(library));
    start();
    CUdeviceptr address;
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, 65 * MIB));
}

/* The device has 24 MiB left, the slice 64. first: the slice goes before others. */
static void oversubscribes(bool pages, bool first)
{
    CUdeviceptr on, beside, more;
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuMemAlloc_v2(&on, 20 * MIB));
    CHECK_EQUAL(pages ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&beside, 30 * MIB));
    CHECK_EQUAL((pages ? 14 : 44) * MIB, left());
    CHECK_EQUAL(pages && first, fake_advised);
    CHECK_EQUAL(pages && first, fake_prefetched);
    if (pages) {
        CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&more, 15 * MIB));
        CHECK_EQUAL(CUDA_SUCCESS, cuMemFree_v2(beside));
    }
    CHECK_EQUAL(44 * MIB, left());
}

/* 100 rows of 64 KiB: 6.25 MiB, however short they are. */
static void pads(void)
{
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR flat = {.Width = 8, .Height = 100, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR box = {.Width = 8, .Height = 10, .Depth = 10, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    start();
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayCreate_v2(&array, &flat));
    CHECK_EQUAL(64 * MIB - (100 << 16), left());
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayDestroy(array));
    CHECK_EQUAL(CUDA_SUCCESS, cuArray3DCreate_v2(&array, &box));
    CHECK_EQUAL(64 * MIB - (100 << 16), left());
    CHECK_EQUAL(CUDA_SUCCESS, cuArrayDestroy(array));
    CHECK_EQUAL(64 * MIB, left());
    flat.Height = 2000;
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, cuArrayCreate_v2(&array, &flat));
    CHECK_EQUAL(64 * MIB, left());
}

/* What a program finds whose driver is not there, or is none. */
static void fails(void)
{
    CHECK(cuInit(0) != CUDA_SUCCESS);
    CUdeviceptr address;
    CHECK(cuMemAlloc_v2(&address, 1) != CUDA_SUCCESS);
    int count;
    CHECK(cuDeviceGetCount(&count) != CUDA_SUCCESS);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "unknown") == 0)
        unknown();
    else if (strcmp(what, "strict") == 0)
        strict();
    else if (strcmp(what, "pointers") == 0)
        pointers();
    else if (strcmp(what, "charges") == 0)
        charges();
    else if (strcmp(what, "errors") == 0)
        errors();
    else if (strcmp(what, "hold") == 0)
        hold();
    else if (strcmp(what, "forks") == 0)
        forks(arguments[0]);
    else if (strcmp(what, "second") == 0)
        second();
    else if (strcmp(what, "execs") == 0)
        execs(arguments[0]);
    else if (strcmp(what, "whole") == 0)
        whole();
    else if (strcmp(what, "by-path") == 0 && count > 2)
        by_path(arguments[2]);
    else if (strcmp(what, "oversubscribes") == 0 && count > 3)
        oversubscribes(strcmp(arguments[2], "pages") == 0, strcmp(arguments[3], "first") == 0);
    else if (strcmp(what, "pads") == 0)
        pads();
    else if (strcmp(what, "fails") == 0)
        fails();
    else
        return 2;
    if (CHECK_RESULT() == 0)
        puts("ok");
    return CHECK_RESULT();
}
