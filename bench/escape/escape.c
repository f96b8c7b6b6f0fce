/* escape: tries one way past the limits of its slice.
 *
 *   escape list                 every way: name, kind, calls
 *   escape take WAY BYTES       memory; says what happens, a line for each line of input:
 *                                 ready, go -> held BYTES CODE, check -> kept BYTES, give -> given, after -> after CODE
 *   escape work WAY             compute, work without end, compiling; ready, go -> working; a line or its end of input stops it
 *   escape watch                for each line of input: the bytes in use, as NVML says
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdarg.h>
#include <unistd.h>

#include "escape.h"

static const struct way *const tables[] = {memory_ways,  array_ways,       pool_ways,    module_ways,          heap_ways,
                                           context_ways, process_ways,     runtime_ways, daemon_ways,          inherited_ways,
                                           hostile_ways, unsupported_ways, compute_ways, runtime_compute_ways, endless_ways,
                                           compile_ways, across_ways,      graph_ways,   texture_ways,         mapped_ways};
static const char *const kinds[] = {"memory", "host",      "refused", "unsupported", "hostile", "trespass",
                                    "daemon", "inherited", "compute", "endless",     "compile", "across"};

char *self;

const struct way *find_way(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const struct way *way = tables[i]; way->name != NULL; way++)
            if (strcmp(way->name, name) == 0)
                return way;
    return NULL;
}

static int list(void)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const struct way *way = tables[i]; way->name != NULL; way++)
            printf("%s\t%s\t%s\n", way->name, kinds[way->kind], way->calls);
    return 0;
}

/* Ends quietly when nobody asks any more. */
static void await(const char *wanted)
{
    char line[64];
    if (fgets(line, sizeof line, stdin) == NULL)
        _exit(3);
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, wanted) != 0)
        must(-1, wanted);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

/* The program works on as if nothing had happened. Modules and contexts end a moment after the call. */
static int small_work(void)
{
    CUdeviceptr memory;
    uint64_t rounds = 10;
    int result = cuMemAlloc(&memory, 4096);
    for (int i = 0; i < 200 && result == CUDA_ERROR_OUT_OF_MEMORY; i++) {
        usleep(10000);
        result = cuMemAlloc(&memory, 4096);
    }
    if (result == CUDA_SUCCESS)
        result = cuMemsetD8(memory, 0, 4096);
    if (result == CUDA_SUCCESS)
        result = cuLaunchKernel(kernel("work"), 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&rounds, &memory}, NULL);
    if (result == CUDA_SUCCESS)
        result = cuCtxSynchronize();
    if (result == CUDA_SUCCESS)
        result = cuMemFree(memory);
    return result;
}

int run_take(const struct way *way, size_t want)
{
    int code = 0;
    if (!way->late) {
        open_device();
        kernel("mark");
    }
    if (!is_sequel()) {
        say("ready\n");
        await("go");
    }
    code = way->take(want);
    if (have_children()) {
        size_t held = hear_children("held", &code);
        say("held %zu %d\n", held + held_bytes(), code);
    } else {
        say("held %zu %d\n", held_bytes(), code);
    }
    await("check");
    size_t kept = kept_bytes();
    if (have_children()) {
        tell_children("check\n");
        kept += hear_children("kept", &code);
    }
    say("kept %zu\n", kept);
    await("give");
    give_back();
    if (!way->late)
        cuCtxSynchronize();
    if (have_children()) {
        tell_children("give\n");
        hear_children("given", &code);
    }
    say("given\n");
    await("after");
    code = 0;
    if (have_children()) {
        tell_children("after\n");
        hear_children("after", &code);
    } else {
        driver = &first_driver;
        open_device();
        code = small_work();
    }
    say("after %d\n", code);
    return 0;
}

bool stopped(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) != 0;
}

static int work(const struct way *way)
{
    open_device();
    kernel("work");
    say("ready\n");
    await("go");
    say("working\n");
    way->work();
    return 0;
}

static int watch(void)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW), *device;
    int (*init)(void), (*get)(unsigned, void **), (*memory)(void *, unsigned long long *);
    if (library == NULL)
        must(-1, dlerror());
    *(void **)&init = dlsym(library, "nvmlInit_v2");
    *(void **)&get = dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
    *(void **)&memory = dlsym(library, "nvmlDeviceGetMemoryInfo");
    MUST(init());
    MUST(get(0, &device));
    for (char line[64]; fgets(line, sizeof line, stdin) != NULL;) {
        unsigned long long figures[3];
        MUST(memory(device, figures));
        say("%llu\n", figures[2]);
    }
    return 0;
}

int main(int count, char **arguments)
{
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    self = length > 0 ? path : arguments[0];
    if (count == 2 && strcmp(arguments[1], "list") == 0)
        return list();
    if (count == 2 && strcmp(arguments[1], "watch") == 0)
        return watch();
    const struct way *way = count > 2 ? find_way(arguments[2]) : NULL;
    if (way == NULL) {
        fprintf(stderr, "usage: escape list | take WAY BYTES | work WAY | watch\n");
        return 2;
    }
    driver_open(&first_driver, dlopen("libcuda.so.1", RTLD_NOW));
    return count == 4 ? run_take(way, strtoull(arguments[3], NULL, 0)) : work(way);
}
