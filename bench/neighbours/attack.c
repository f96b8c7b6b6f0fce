#include "attack.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*perform)(void);
} attacks[] = {
    {"call-tree", call_tree},
    {"endless", endless},
    {"streams", many_streams},
    {"strings", long_strings},
    {"local-memory", local_memory},
    {"launches", many_launches},
    {"copies", copies},
    {"labels", many_labels},
    {"kernels", many_kernels},
    {"modules", many_modules},
    {"allocations", allocations},
    {"forks", forks},
    {"processes", processes_that_use},
    {"beginners", processes_that_begin},
    {"sessions", many_sessions},
    {"silence", silent_connections},
    {"malformed", malformed_commands},
    {"history", history_clients},
    {"half-requests", half_requests},
};

int http_port;

void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        const char *text = "unknown error";
        cuGetErrorString(result, &text);
        fprintf(stderr, "%s: %s (%d)\n", what, text, (int)result);
        exit(1);
    }
}

void under_way(void)
{
    puts("under way");
    fflush(stdout);
}

void open_device(void)
{
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
}

CUfunction load(const char *ptx, const char *kernel)
{
    CUmodule module;
    CUfunction function;
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, kernel));
    return function;
}

void launch(CUfunction function, unsigned blocks, unsigned threads, CUstream stream, void **arguments)
{
    CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, NULL));
}

FILE *begin_text(char **text)
{
    static size_t bytes;
    FILE *file = open_memstream(text, &bytes);
    if (file == NULL) {
        perror("open_memstream");
        exit(1);
    }
    fputs(".version 8.0\n.target sm_75\n.address_size 64\n", file);
    return file;
}

uint32_t next_number(void)
{
    static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

/* Whoever attacks begins again when it is thrown out. */
static void perform_for_ever(void (*perform)(void))
{
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            perform();
            exit(0);
        }
        waitpid(child, NULL, 0);
        usleep(10000);
    }
}

/* What an attacker does with the host's cores is between it and the system, which gives it what others leave: what is
 * measured is what the daemon and the device do for it. Linux may weigh sessions before processes. */
static void step_back(void)
{
    FILE *group = fopen("/proc/self/autogroup", "w");
    if (group != NULL) {
        fputs("19", group);
        fclose(group);
    }
    if (nice(19) == -1)
        perror("nice");
}

int main(int count, char **arguments)
{
    size_t known = sizeof attacks / sizeof *attacks;
    step_back();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    http_port = count > 2 ? atoi(arguments[2]) : 0;
    for (size_t i = 0; count > 1 && i < known; i++)
        if (strcmp(arguments[1], attacks[i].name) == 0)
            perform_for_ever(attacks[i].perform);
    fprintf(stderr, "usage: attack KIND [PORT]; the kinds are");
    for (size_t i = 0; i < known; i++)
        fprintf(stderr, " %s", attacks[i].name);
    fputs("\n", stderr);
    return 2;
}
