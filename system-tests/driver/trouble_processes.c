/* Very many processes or connections: trouble_processes <what> <how many> [how many at once]. Prints how many
 * of them got what they asked for. Not a test by itself. */
/* role: helper */
#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "facet_records.h"
#include "facet_cuda_wire.h"

PTX(trouble, "trouble.ptx");

/* What a child does: uses the device, and says by its end whether all was well. */
static int use(void)
{
    CUmodule module;
    open_device();
    CHECK(cuModuleLoadData(&module, trouble));
    CUdeviceptr memory = allocate(4096);
    unsigned value = 77, back = 0;
    CHECK(LAUNCH(kernel(module, "store_at"), 1, 1, 0, NULL, &memory, &value));
    CHECK(cuMemcpyDtoH(&back, memory, 4));
    return back == 77 ? 0 : 1;
}

static long forks(long count, long at_once, bool uses)
{
    long begun = 0, well = 0;
    for (long under_way = 0; begun < count || under_way > 0;) {
        if (begun < count && under_way < at_once) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0)
                _exit(uses ? use() : cuInit(0) == CUDA_SUCCESS ? 0 : 1);
            REQUIRE(child > 0, "fork: %s", strerror(errno));
            begun++;
            under_way++;
            continue;
        }
        int status;
        REQUIRE(wait(&status) > 0, "wait: %s", strerror(errno));
        well += WIFEXITED(status) && WEXITSTATUS(status) == 0;
        under_way--;
    }
    return well;
}

static int connection(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (made < 0)
        return -1;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("FACET_SOCKET"));
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        close(made);
        return -1;
    }
    return made;
}

/* Connections that say nothing, all at once, until the daemon lets them go. */
static long silent(long count)
{
    int *all = calloc((size_t)count, sizeof *all);
    long made = 0, let_go = 0;
    for (long i = 0; i < count; i++) {
        all[i] = connection();
        made += all[i] >= 0;
    }
    for (long i = 0; i < count; i++) {
        char byte;
        let_go += all[i] >= 0 && recv(all[i], &byte, 1, 0) == 0;
    }
    free(all);
    return made == let_go ? made : -1;
}

/* Sessions that do nothing, all at once. */
static long idle(long count)
{
    int *all = calloc((size_t)count, sizeof *all);
    long well = 0;
    for (long i = 0; i < count; i++) {
        struct facet_hello hello = {.magic = FACET_MAGIC,
                                    .protocol = FACET_PROTOCOL,
                                    .pid = (uint32_t)getpid(),
                                    .commands = FACET_CUDA_COMMANDS,
                                    .name = "idle",
                                    .digest = facet_cuda_digests[FACET_CUDA_COMMANDS]};
        struct facet_welcome welcome;
        all[i] = connection();
        if (all[i] >= 0 && send(all[i], &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello &&
            recv(all[i], &welcome, sizeof welcome, 0) == (ssize_t)sizeof welcome && welcome.status == 0)
            well++;
    }
    printf("%ld\n", well);
    fflush(stdout);
    while (getchar() != EOF) {
    }
    for (long i = 0; i < count; i++)
        close(all[i]);
    free(all);
    return well;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long count = argc > 2 ? atol(argv[2]) : 1000, at_once = argc > 3 ? atol(argv[3]) : 16, well;
    struct rlimit files;
    REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0, "getrlimit");
    files.rlim_cur = files.rlim_max;
    REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0, "setrlimit");
    if (strcmp(what, "use") == 0)
        well = forks(count, at_once, true);
    else if (strcmp(what, "begin") == 0)
        well = forks(count, at_once, false);
    else if (strcmp(what, "silent") == 0)
        well = silent(count);
    else if (strcmp(what, "idle") == 0)
        well = idle(count);
    else
        return 2;
    printf("%ld of %ld\n", well, count);
    return 0;
}
