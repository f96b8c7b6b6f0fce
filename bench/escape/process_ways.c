/* Other processes, other environments, other copies of the library. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "escape.h"

#define MIB ((size_t)1 << 20)
enum { CHILDREN = 3 };

static struct child {
    FILE *to, *from;
} children[CHILDREN];
static int child_count;

bool have_children(void)
{
    return child_count > 0;
}

bool is_sequel(void)
{
    return getenv("ESCAPE_SEQUEL") != NULL;
}

void tell_children(const char *line)
{
    for (int i = 0; i < child_count; i++) {
        fputs(line, children[i].to);
        fflush(children[i].to);
    }
}

/* Adds up what they say; the worst code is the first that is neither success nor out of memory. */
size_t hear_children(const char *word, int *worst)
{
    size_t sum = 0;
    for (int i = 0; i < child_count; i++) {
        char line[128] = "", heard[16] = "";
        size_t bytes = 0;
        int code = 0;
        if (fgets(line, sizeof line, children[i].from) == NULL || sscanf(line, "%15s %zu %d", heard, &bytes, &code) < 1 || strcmp(heard, word) != 0) {
            printf("failed -1 a child was to say %s, not %s\n", word, line);
            exit(1);
        }
        if (strcmp(word, "after") == 0) {
            code = (int)bytes;
            bytes = 0;
        }
        sum += bytes;
        if (code != 0 && (*worst == 0 || *worst == CUDA_ERROR_OUT_OF_MEMORY))
            *worst = code;
    }
    return sum;
}

/* What a child does before it takes memory; it may become another program. */
typedef void (*beginning)(const char *want);

static void start(beginning begin, size_t want)
{
    int down[2], up[2];
    char amount[32];
    snprintf(amount, sizeof amount, "%zu", want);
    if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0)
        must(errno, "pipe");
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        must(errno, "fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        child_count = 0;
        begin(amount);
        exit(run_take(find_way("plain-large"), want));
    }
    close(down[0]);
    close(up[1]);
    children[child_count++] = (struct child){.to = fdopen(down[1], "w"), .from = fdopen(up[0], "r")};
}

static int start_all(beginning begin, size_t want)
{
    int code = 0;
    for (int i = 0; i < CHILDREN; i++)
        start(begin, want);
    hear_children("ready", &code);
    tell_children("go\n");
    return code;
}

static void nothing(const char *want)
{
    (void)want;
}

/* ---- fork and exec */

static int fork_before(size_t want)
{
    return start_all(nothing, want);
}

/* With handles that are the parent's: a child has no session, and gets none. */
static void use_inherited(const char *want)
{
    CUdeviceptr memory;
    if (cuMemAlloc(&memory, 4096) == CUDA_SUCCESS || cuInit(0) == CUDA_SUCCESS)
        must(-1, "a forked child uses its parent's session");
    execl(self, self, "take", "plain-large", want, (char *)NULL);
    must(errno, "exec");
}

static int fork_after(size_t want)
{
    int result = take_pieces(want / 2, 4 * MIB, take_plain);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    return start_all(use_inherited, want);
}

/* Becomes itself with all hands full. */
static int becomes(size_t want)
{
    char amount[32];
    int result = take_pieces(want, 4 * MIB, take_plain);
    if (is_sequel() || (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY))
        return result;
    snprintf(amount, sizeof amount, "%zu", want);
    setenv("ESCAPE_SEQUEL", "1", 1);
    execl(self, self, "take", "exec", amount, (char *)NULL);
    return errno;
}

/* ---- the environment */

static void without_environment(const char *want)
{
    char socket[4096];
    const char *known = getenv("FACET_SOCKET");
    snprintf(socket, sizeof socket, "FACET_SOCKET=%s", known == NULL ? "" : known);
    execle(self, self, "take", "plain-large", want, (char *)NULL, (char *[]){socket, NULL});
    must(errno, "exec");
}

static int environment(size_t want)
{
    return start_all(without_environment, want);
}

/* As in a container: the slice's folder is /run/facet, and no other slice is to be seen. */
static bool contain(void)
{
    char folder[4096], runtime[4096];
    const char *socket = getenv("FACET_SOCKET"), *other = getenv("ESCAPE_OTHER");
    if (socket == NULL || other == NULL || unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return false;
    snprintf(folder, sizeof folder, "%s", socket);
    *strrchr(folder, '/') = 0;
    snprintf(runtime, sizeof runtime, "%s", folder);
    *strrchr(runtime, '/') = 0;
    return mount("none", "/run", "tmpfs", 0, NULL) == 0 && mkdir("/run/facet", 0755) == 0 && mount(folder, "/run/facet", NULL, MS_BIND, NULL) == 0 &&
           mount("none", runtime, "tmpfs", 0, NULL) == 0;
}

static void shell(const char *want)
{
    char command[8192];
    snprintf(command, sizeof command, "exec '%s' take plain-large %s", self, want);
    execle("/bin/sh", "-sh", "-c", command, (char *)NULL, (char *[]){NULL});
    must(errno, "exec");
}

static int login_shell(size_t want)
{
    return contain() ? start_all(shell, want) : NOT_HERE;
}

/* Asks for another slice by its path; then there is still its own. */
static int other_slice(size_t want)
{
    if (!contain())
        return NOT_HERE;
    setenv("FACET_SOCKET", getenv("ESCAPE_OTHER"), 1);
    fclose(stderr); /* the library says that nobody answers there */
    if (cuInit(0) == CUDA_SUCCESS)
        must(-1, "another slice can be entered");
    return start_all(shell, want);
}

/* ---- copies of the library */

static char copied[64];

static void *copy_of_library(void)
{
    Dl_info found;
    char block[1 << 16];
    size_t bytes;
    if (dladdr((void *)(uintptr_t)first_driver.init, &found) == 0)
        must(-1, "dladdr");
    snprintf(copied, sizeof copied, "/tmp/escape-%d.so", (int)getpid());
    FILE *from = fopen(found.dli_fname, "r"), *to = fopen(copied, "w");
    if (from == NULL || to == NULL)
        must(errno, "copying the library");
    while ((bytes = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, bytes, to);
    fclose(from);
    fclose(to);
    return dlopen(copied, RTLD_NOW | RTLD_LOCAL);
}

static int in_both(size_t want, void *second)
{
    static struct driver other;
    int result = take_pieces(want / 2, 4 * MIB, take_plain);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY)
        return result;
    driver_open(&other, second);
    driver = &other;
    open_device();
    result = take_pieces(want, 4 * MIB, take_plain);
    driver = &first_driver;
    int again = result == CUDA_SUCCESS ? take_pieces(want, 4 * MIB, take_plain) : result;
    return again;
}

static int second_copy(size_t want)
{
    void *library = copy_of_library();
    int result = in_both(want, library);
    unlink(copied);
    return result;
}

static int second_namespace(size_t want)
{
    return in_both(want, dlmopen(LM_ID_NEWLM, "libcuda.so.1", RTLD_NOW));
}

/* Unloads the library that holds the memory, and loads it again. */
static int unloaded(size_t want)
{
    static struct driver again;
    void *library = copy_of_library();
    driver_open(&again, library);
    driver = &again;
    open_device();
    int result = take_pieces(want / 2, 4 * MIB, take_plain);
    dlclose(library);
    driver_open(&again, dlopen(copied, RTLD_NOW | RTLD_LOCAL));
    unlink(copied);
    if (result != CUDA_SUCCESS)
        return result;
    open_device();
    result = take_pieces(want, 4 * MIB, take_plain);
    driver = &first_driver;
    return result == CUDA_SUCCESS ? result : take_pieces(want, 4 * MIB, take_plain);
}

const struct way process_ways[] = {
    {.name = "fork-before", .kind = MEMORY, .take = fork_before, .late = true, .calls = "cuInit"},
    {.name = "fork-after", .kind = MEMORY, .take = fork_after, .calls = "cuInit"},
    {.name = "exec", .kind = MEMORY, .take = becomes, .calls = "cuInit"},
    {.name = "no-environment", .kind = MEMORY, .take = environment, .late = true, .calls = "cuInit"},
    {.name = "login-shell", .kind = MEMORY, .take = login_shell, .late = true, .calls = "cuInit"},
    {.name = "other-slice", .kind = MEMORY, .take = other_slice, .late = true, .calls = "cuInit"},
    {.name = "second-copy", .kind = MEMORY, .take = second_copy, .calls = "cuInit"},
    {.name = "second-namespace", .kind = MEMORY, .take = second_namespace, .calls = "cuInit"},
    {.name = "unloaded", .kind = MEMORY, .take = unloaded, .calls = "cuInit"},
    {.name = NULL},
};
