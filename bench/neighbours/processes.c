/* Storms of processes, sessions and connections. */
#include "attack.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* So many at once, for ever. */
static void storm(int at_once, void (*perform)(void))
{
    under_way();
    for (int running = 0;; running++) {
        if (running >= at_once && wait(NULL) > 0)
            running--;
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            perform();
            _exit(0);
        }
    }
}

static void use(void)
{
    char *text;
    FILE *file = begin_text(&text);
    fputs(".visible .entry attack(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.global.u64 [%rd1], %rd1; ret; }\n", file);
    fclose(file);
    CUdeviceptr memory;
    void *arguments[] = {&memory};
    open_device();
    CUfunction function = load(text, "attack");
    CHECK(cuMemAlloc(&memory, 4096));
    launch(function, 1, 1, NULL, arguments);
    CHECK(cuCtxSynchronize());
}

void processes_that_use(void)
{
    storm(32, use);
}

static void begin(void)
{
    cuInit(0);
}

void processes_that_begin(void)
{
    storm(64, begin);
}

/* Many in one process after the other: a session lives as long as its process. */
static void hold(void)
{
    open_device();
    usleep(2000000);
}

void many_sessions(void)
{
    storm(500, hold);
}

static int connection(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("FACET_SOCKET"));
    if (made >= 0 && connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        close(made);
        made = -1;
    }
    return made;
}

/* Some say nothing, some say what nobody understands. */
void silent_connections(void)
{
    enum { COUNT = 1000 };
    int all[COUNT];
    struct rlimit files = {4096, 4096};
    setrlimit(RLIMIT_NOFILE, &files);
    under_way();
    for (;;) {
        for (int i = 0; i < COUNT; i++) {
            char noise[300];
            for (size_t j = 0; j < sizeof noise; j++)
                noise[j] = (char)next_number();
            all[i] = connection();
            if (all[i] >= 0 && i % 2 == 0)
                send(all[i], noise, sizeof noise, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        for (int i = 0; i < COUNT; i++)
            if (all[i] >= 0)
                close(all[i]);
    }
}

/* Writes anything into the memory through which it speaks with the daemon. */
static void scribble(void)
{
    char line[512];
    open_device();
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long from, to;
    for (int round = 0; maps != NULL && fgets(line, sizeof line, maps) != NULL;) {
        if (strstr(line, "memfd:") == NULL || sscanf(line, "%lx-%lx rw-s", &from, &to) != 2 || strstr(line, "rw-s") == NULL)
            continue;
        unsigned long most = to - from < (4ul << 20) ? to - from : 4ul << 20;
        for (round = 0; round < 20000; round++)
            ((volatile char *)from)[next_number() % most] = (char)next_number();
    }
    CUdeviceptr memory;
    alarm(1);
    for (int i = 0; i < 100; i++)
        cuMemAlloc(&memory, 4096);
}

void malformed_commands(void)
{
    storm(4, scribble);
}
