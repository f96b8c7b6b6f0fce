/* facet-run: runs a program with a slice of a GPU.
 *
 * It asks the daemon for the slice, points the program at it and becomes the program. The
 * connection to the daemon stays open across exec: the slice lives as long as somebody holds it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "json.h"
#include "options.h"
#include "stubs.h"
#include "trust.h"

/* Far from what programs expect of their first descriptors. */
enum { KEPT_DESCRIPTOR = 500 };

static int fail(const char *format, const char *detail)
{
    fprintf(stderr, "facet: ");
    fprintf(stderr, format, detail);
    fprintf(stderr, "\n");
    return 1;
}

static int distrusted(const char *directory)
{
    fprintf(stderr, "facet: the daemon in %s cannot be trusted: %s\n", directory, facet_control_distrust());
    return 1;
}

/* Runs "<script> up" and waits for it. */
static bool start_daemon(const char *script)
{
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, "up", "--quiet", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void request_of(const struct run_options *options, struct facet_text *line)
{
    char number[32];
    facet_text_add(line, "run");
    if (options->memory != 0) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)options->memory);
        facet_control_append(line, "memory", number);
    }
    if (options->compute != 0) {
        snprintf(number, sizeof number, "%d", options->compute);
        facet_control_append(line, "compute", number);
    }
    for (int i = 0; i < RUN_TERM_COUNT; i++) {
        if (options->terms[i] != NULL) {
            facet_control_append(line, RUN_TERMS[i].key, options->terms[i]);
        }
    }
    if (options->name != NULL) {
        facet_control_append(line, "name", options->name);
    }
}

/* Whether the vendor's driver is to work in the program itself. */
static bool says_direct(const char *answer)
{
    struct facet_text value = {0};
    bool direct = facet_json_string(facet_json_member(facet_json_of(answer), "engine"), &value) && strcmp(value.bytes, "direct") == 0;
    facet_text_free(&value);
    return direct;
}

/* What the daemon says to a request for a slice: its socket goes to path. */
static bool take_answer(const char *answer, char *path, size_t bytes, bool *direct)
{
    struct facet_text value = {0};
    *direct = says_direct(answer);
    bool given = facet_json_string(facet_json_member(facet_json_of(answer), "socket"), &value) && value.length < bytes;
    if (given) {
        strcpy(path, value.bytes);
    } else {
        facet_text_clear(&value);
        bool told = facet_json_string(facet_json_member(facet_json_of(answer), "error"), &value);
        fail("%s", told ? value.bytes : "the daemon's answer cannot be read");
    }
    facet_text_free(&value);
    return given;
}

/* Asks for a slice of its own; its socket goes to path. */
static bool take_slice(int control, const struct run_options *options, char *path, size_t bytes, bool *direct)
{
    struct facet_text line = {0};
    struct facet_text answer = {0};
    request_of(options, &line);
    bool taken = false;
    if (line.length >= FACET_CONTROL_LINE) {
        fail("the settings of the slice are too long%s", "");
    } else if (!facet_control_ask(control, &line, &answer)) {
        fail("the daemon does not answer: %s. See 'facet status'", errno == 0 ? "it hung up" : strerror(errno));
    } else {
        taken = take_answer(answer.bytes, path, bytes, direct);
    }
    facet_text_free(&line);
    facet_text_free(&answer);
    return taken;
}

/* The socket of a slice that is there already, or of the default one. */
static bool find_slice(const char *directory, const char *slice, char *path, size_t bytes)
{
    struct stat found;
    int length = slice == NULL ? snprintf(path, bytes, "%s/socket", directory) : snprintf(path, bytes, "%s/slices/%s/socket", directory, slice);
    if (length < 0 || (size_t)length >= bytes) {
        fail("the path %s is too long", directory);
        return false;
    }
    if (slice != NULL && stat(path, &found) != 0) {
        fail("there is no slice '%s'; 'facet slice list' shows them, 'facet slice create' makes one", slice);
        return false;
    }
    return true;
}

/* Which engine a slice has that is there already. A daemon from before that knows one alone. */
static bool is_direct(int control, const char *slice)
{
    struct facet_text line = {0};
    struct facet_text answer = {0};
    facet_text_add(&line, "slice-explain");
    facet_control_append(&line, "name", slice == NULL ? "default" : slice);
    bool direct = facet_control_ask(control, &line, &answer) && says_direct(answer.bytes);
    facet_text_free(&line);
    facet_text_free(&answer);
    return direct;
}

/* Puts a value before the ones that a variable of the environment has. */
static bool prepend(const char *variable, const char *value, char separator)
{
    const char *old = getenv(variable);
    char *all = NULL;
    int length = old == NULL || *old == 0 ? asprintf(&all, "%s", value) : asprintf(&all, "%s%c%s", value, separator, old);
    bool done = length >= 0 && setenv(variable, all, 1) == 0;
    free(all);
    return done;
}

/* The folder in which bin and lib are. */
static bool find_self(char *self, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", self, bytes - 1);
    if (length < 0) {
        return false;
    }
    self[length] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (slash == NULL) {
            return false;
        }
        *slash = 0;
    }
    return true;
}

static bool point_to_libraries(void)
{
    char self[PATH_MAX];
    if (!find_self(self, sizeof self)) {
        return false;
    }
    char libraries[PATH_MAX + 64];
    char preload[PATH_MAX + 128];
    snprintf(libraries, sizeof libraries, "%s/lib", self);
    snprintf(preload, sizeof preload, "%s/libfacet-preload.so", libraries);
    struct stat found;
    if (stat(preload, &found) != 0) {
        fail("%s is missing; build Facet again", preload);
        return false;
    }
    return prepend("LD_LIBRARY_PATH", libraries, ':') && prepend("LD_PRELOAD", preload, ':');
}

/* The direct engine: ours before the vendor's, and between them the library that is written for the vendor's. The program's environment stays as it
 * is otherwise, since the vendor's driver may look at it too. */
static bool point_to_direct(const char *runtime, const char *socket)
{
    char self[PATH_MAX], libraries[PATH_MAX + 64], preload[PATH_MAX + 128], vendor[PATH_MAX], written[PATH_MAX], why[PATH_MAX + 256];
    if (!find_self(self, sizeof self)) {
        return false;
    }
    snprintf(libraries, sizeof libraries, "%s/direct", self);
    snprintf(preload, sizeof preload, "%s/libcuda.so.1", libraries);
    const char *folder = getenv("FACET_VENDOR_LIBRARIES");
    if (!facet_vendor_find(folder, "libcuda.so.1", preload, vendor, sizeof vendor)) {
        fail(
            "the direct engine finds no libcuda.so.1 of a vendor's driver%s; install the driver, name its folder in FACET_VENDOR_LIBRARIES, or use --engine forwarded",
            folder != NULL ? " in $FACET_VENDOR_LIBRARIES" : "");
        return false;
    }
    if (!facet_stubs_folder(runtime, vendor, written, sizeof written, why, sizeof why)) {
        fail("the direct engine cannot be made ready: %s", why);
        return false;
    }
    snprintf(preload, sizeof preload, "%s/libfacet-direct.so", libraries);
    return setenv("FACET_DIRECT_SOCKET", socket, 1) == 0 && prepend("LD_LIBRARY_PATH", libraries, ':') && prepend("LD_LIBRARY_PATH", written, ':') &&
           prepend("LD_PRELOAD", preload, ':');
}

int main(int count, char **arguments)
{
    struct run_options options;
    int status = run_options_parse(count, arguments, &options);
    if (status >= 0) {
        return status;
    }
    char directory[PATH_MAX];
    if (!facet_runtime_directory(directory, sizeof directory)) {
        return fail("the path of the runtime directory is too long%s", "");
    }
    int control = facet_control_connect(directory);
    if (options.ping) {
        return control < 0;
    }
    if (control < 0 && errno == FACET_DISTRUSTED) {
        return distrusted(directory);
    }
    if (control < 0 && options.script != NULL) {
        if (!start_daemon(options.script)) {
            return fail("no daemon runs and none could be started; '%s up' shows why", options.script);
        }
        control = facet_control_connect(directory);
    }
    if (control < 0 && errno == FACET_DISTRUSTED) {
        return distrusted(directory);
    }
    if (control < 0) {
        return fail("no daemon answers in %s; start one with 'facet up'", directory);
    }
    char path[PATH_MAX];
    bool direct = false;
    if (run_options_own_slice(&options)) {
        if (!take_slice(control, &options, path, sizeof path, &direct)) {
            return 1;
        }
        if (fcntl(control, F_DUPFD, KEPT_DESCRIPTOR) < 0 && fcntl(control, F_DUPFD, 3) < 0) {
            return fail("the connection to the daemon cannot be kept: %s", strerror(errno));
        }
    } else if (!find_slice(directory, options.slice, path, sizeof path)) {
        return 1;
    } else {
        direct = is_direct(control, options.slice);
    }
    close(control);
    if (direct && !point_to_direct(directory, path)) {
        return 1;
    }
    if (!direct && (setenv("FACET_SOCKET", path, 1) != 0 || !point_to_libraries())) {
        return fail("the environment cannot be set: %s", strerror(errno));
    }
    execvp(options.program[0], options.program);
    int reason = errno;
    fprintf(stderr, "facet: cannot run %s: %s\n", options.program[0], strerror(reason));
    return reason == ENOENT ? 127 : 126;
}
