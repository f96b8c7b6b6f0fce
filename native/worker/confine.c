/* facet-confine: runs a worker process with nothing of the machine but what it needs.
 *
 *   daemon ── facet-confine ── the worker: its own user, processes, mounts, network, limits
 *                 │ stays outside: ends with the daemon or the worker, passes on log lines
 *
 * It connects to the daemon before anything is taken away; the worker inherits that connection and
 * has no path to any other. What the system refuses is told, and goes on being told by the worker:
 * FACET_LACKS in its environment has the names. docs/isolation.md says what each piece is for.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "lacks.h"
#include "namespaces.h"
#include "options.h"
#include "privileges.h"
#include "root.h"
#include "watch.h"

/* What the program inherits, and where it looks for it. */
enum { CONNECTION = 3, FIRST_CLOSED = 4, FAILED = 1 };

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        confine_fail("cannot connect to", path);
    }
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        confine_fail("cannot connect to", path);
    }
    return connection;
}

static void join_groups(const struct confine_options *options)
{
    for (int i = 0; i < options->group_count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/cgroup.procs", options->groups[i]);
        int file = open(path, O_WRONLY | O_CLOEXEC);
        if (file < 0 || write(file, "0", 1) != 1) {
            lacks_add("limits", path);
        }
        if (file >= 0) {
            close(file);
        }
    }
}

/* When memory runs out a worker goes, not the daemon. */
static void volunteer(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, "800", 3) != 3) {
        lacks_add("order", "oom_score_adj");
    }
    if (file >= 0) {
        close(file);
    }
}

/* Secrets live in environments. Without /proc the loader has to be told where the program is. */
static void clear_environment(const char *program)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", program);
    *strrchr(folder, '/') = 0;
    if (clearenv() != 0 || setenv("LD_ORIGIN_PATH", folder, 1) != 0 || setenv("LC_ALL", "C.UTF-8", 1) != 0 ||
        setenv("MALLOC_ARENA_MAX", "2", 1) != 0 || setenv("FACET_LACKS", lacks_list(), 1) != 0) {
        confine_fail("cannot make", "an environment");
    }
}

static void close_others(void)
{
    if (syscall(SYS_close_range, FIRST_CLOSED, ~0U, 0) == 0) {
        return;
    }
    struct rlimit files;
    int end = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < INT_MAX ? (int)files.rlim_cur : INT_MAX;
    for (int each = FIRST_CLOSED; each < end; each++) {
        close(each);
    }
}

/* A key that a session has belongs to whoever logged in. Where the kernel has no keys there is none to lose. */
static void leave_session(void)
{
    enum { KEYCTL_JOIN_SESSION_KEYRING = 1 };
    /* Not a session of its own: Linux may weigh sessions before it weighs threads, and then those that step back for
     * kernels would do so only for kernels of their own worker. The daemon's has no terminal. */
    setpgid(0, 0);
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS && errno != EPERM) {
        lacks_add("keys", "keyctl");
    }
}

/* What is opened later lies above what the program inherits, so that no copy closes one that is still needed. */
static void reserve(void)
{
    int last;
    do {
        last = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (last < 0) {
            confine_fail("cannot open", "/dev/null");
        }
    } while (last < CONNECTION);
}

static void inherit(int connection, int log)
{
    int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (none < 0 || dup2(none, STDIN_FILENO) < 0 || dup2(none, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0 ||
        dup2(connection, CONNECTION) < 0) {
        confine_fail("cannot pass on", "descriptors");
    }
}

/* In the child: from here on each step takes something away. */
static _Noreturn void become(const struct confine_options *options, int connection, int log, int parent)
{
    const char *why = NULL;
    sigset_t none;
    leave_session();
    inherit(connection, log);
    if (namespaces_has_mounts() && !root_change(options->reads, options->read_count, options->devices, options->device_count, &why)) {
        /* Half a root cannot be undone. */
        confine_fail("cannot make a root folder with", why);
    }
    privileges_limit(options);
    privileges_drop(options);
    /* After the change of user, which forgets it. Had the parent ended before, nobody would be told. */
    struct pollfd gone = {parent, POLLIN, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || poll(&gone, 1, 0) != 0) {
        confine_fail("cannot end with", "facet-confine");
    }
    close_others();
    umask(077);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (options->require && *lacks_list() != 0) {
        fprintf(stderr, "facet-confine: a worker would lack %s, and --require was given\n", lacks_list());
        _exit(FAILED);
    }
    clear_environment(options->program[0]);
    execv(options->program[0], options->program);
    confine_fail("cannot run", options->program[0]);
}

int main(int count, char **arguments)
{
    struct confine_options options;
    int log[2];
    int code = confine_options_parse(count, arguments, &options);
    if (code >= 0) {
        return code;
    }
    reserve();
    pid_t caller_process = getppid();
    int caller = watch_process(caller_process);
    int self = watch_process(getpid());
    if (caller < 0 || self < 0 || getppid() != caller_process) {
        confine_fail("cannot watch", "the process that started this");
    }
    int connection = connect_to(options.connect);
    join_groups(&options);
    volunteer();
    if (pipe2(log, O_CLOEXEC) != 0) {
        confine_fail("cannot make", "a pipe");
    }
    privileges_prepare(&options);
    namespaces_enter();
    pid_t child = fork();
    if (child < 0) {
        confine_fail("cannot start", options.program[0]);
    }
    if (child == 0) {
        become(&options, connection, log[1], self);
    }
    close(connection);
    close(log[1]);
    privileges_keep_kill();
    return watch(child, caller, log[0]);
}
