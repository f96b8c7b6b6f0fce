/* newcomer FOLDER MILLISECONDS: a program that begins. It loads the eight kernels of the benchmark from a folder and
 * runs all of them, again and again, for so long; each time is a step. A plain driver API program.
 * Prints when it began and when each step had ended, in nanoseconds of CLOCK_MONOTONIC. */
#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VALUES = 1 << 18,
    MATRIX = 128,
    BODIES = 1024,
    WIDTH = 256,
    HEIGHT = 128,
    BYTES = VALUES * sizeof(float),
    MOST_STEPS = 1 << 20,
    MOST_PARAMETERS = 8
};

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* What kernels read, and what each of them writes. */
static CUdeviceptr first, second, sums, naive, tiled, partials, bins, points, blurred, pulls;
static int values = VALUES, matrix = MATRIX, bodies = BODIES, width = WIDTH, height = HEIGHT, limit = 256;
static float half = 0.5f, eighth = 0.125f, left = -2, top = -1.25f, dx = 2.5f / WIDTH, dy = 2.5f / HEIGHT, softening = 0.01f;

struct kernel {
    const char *name;
    unsigned grid_x, grid_y, block_x, block_y;
    void *parameters[MOST_PARAMETERS];
    CUdeviceptr *output; /* the same after each step; null where it adds to what is there */
    CUfunction function;
    void *kept;
};

static struct kernel kernels[] = {
    {"saxpy", VALUES / 256, 1, 256, 1, {&values, &half, &first, &sums}, NULL, NULL, NULL},
    {"sgemm_naive", MATRIX / 16, MATRIX / 16, 16, 16, {&matrix, &first, &second, &naive}, &naive, NULL, NULL},
    {"sgemm_tiled", MATRIX / 16, MATRIX / 16, 16, 16, {&matrix, &first, &second, &tiled}, &tiled, NULL, NULL},
    {"reduction", 128, 1, 256, 1, {&values, &first, &partials}, &partials, NULL, NULL},
    {"histogram", 128, 1, 256, 1, {&values, &first, &bins}, NULL, NULL, NULL},
    {"mandelbrot", WIDTH / 16, HEIGHT / 16, 16, 16, {&width, &height, &limit, &left, &top, &dx, &dy, &points}, &points, NULL, NULL},
    {"stencil", WIDTH / 32, HEIGHT / 8, 32, 8, {&width, &height, &half, &eighth, &first, &blurred}, &blurred, NULL, NULL},
    {"nbody", BODIES / 256, 1, 256, 1, {&bodies, &softening, &first, &pulls}, &pulls, NULL, NULL},
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static CUdeviceptr buffer(void)
{
    CUdeviceptr made;
    CHECK(cuMemAlloc(&made, BYTES));
    CHECK(cuMemsetD8(made, 0, BYTES));
    return made;
}

static CUdeviceptr input(uint32_t seed)
{
    CUdeviceptr made = buffer();
    float *numbers = malloc(BYTES);
    if (numbers == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (int i = 0; i < VALUES; i++) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = (float)(seed >> 8) / 16777216.0f;
    }
    CHECK(cuMemcpyHtoD(made, numbers, BYTES));
    free(numbers);
    return made;
}

static void open_device(const char *folder)
{
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    first = input(1);
    second = input(2);
    CUdeviceptr *outputs[] = {&sums, &naive, &tiled, &partials, &bins, &points, &blurred, &pulls};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        *outputs[i] = buffer();
    }
    for (int i = 0; i < KERNELS; i++) {
        char path[4096];
        CUmodule module;
        snprintf(path, sizeof path, "%s/%s.ptx", folder, kernels[i].name);
        check(cuModuleLoad(&module, path), path);
        check(cuModuleGetFunction(&kernels[i].function, module, kernels[i].name), kernels[i].name);
    }
}

static void step(void)
{
    for (int i = 0; i < KERNELS; i++) {
        struct kernel *each = &kernels[i];
        check(cuLaunchKernel(each->function, each->grid_x, each->grid_y, 1, each->block_x, each->block_y, 1, 0, NULL, each->parameters, NULL),
              each->name);
    }
    CHECK(cuCtxSynchronize());
}

/* What the first step made: code that was made since is to make the same. */
static void keep_results(void)
{
    for (int i = 0; i < KERNELS; i++) {
        if (kernels[i].output != NULL) {
            kernels[i].kept = malloc(BYTES);
            if (kernels[i].kept == NULL) {
                fprintf(stderr, "no memory\n");
                exit(1);
            }
            CHECK(cuMemcpyDtoH(kernels[i].kept, *kernels[i].output, BYTES));
        }
    }
}

static int compare_results(void)
{
    int differ = 0;
    void *last = malloc(BYTES);
    if (last == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (int i = 0; i < KERNELS; i++) {
        if (kernels[i].output != NULL) {
            CHECK(cuMemcpyDtoH(last, *kernels[i].output, BYTES));
            if (memcmp(last, kernels[i].kept, BYTES) != 0) {
                fprintf(stderr, "%s: the last result is not the first one\n", kernels[i].name);
                differ = 1;
            }
        }
    }
    if (memcmp(kernels[1].kept, kernels[2].kept, BYTES) != 0) {
        fprintf(stderr, "sgemm_naive and sgemm_tiled: two products of the same matrices\n");
        differ = 1;
    }
    free(last);
    return differ;
}

int main(int count, char **arguments)
{
    static uint64_t ends[MOST_STEPS];
    uint64_t begun = now();
    if (count != 3) {
        fprintf(stderr, "usage: newcomer FOLDER MILLISECONDS\n");
        return 2;
    }
    uint64_t end = begun + strtoull(arguments[2], NULL, 10) * UINT64_C(1000000);
    open_device(arguments[1]);
    uint64_t opened = now();
    int steps = 0;
    do {
        step();
        ends[steps++] = now();
        if (steps == 1) {
            keep_results();
        }
    } while (now() < end && steps < MOST_STEPS);
    printf("begun %llu\nopened %llu\n", (unsigned long long)begun, (unsigned long long)opened);
    for (int i = 0; i < steps; i++) {
        printf("step %llu\n", (unsigned long long)ends[i]);
    }
    return compare_results();
}
