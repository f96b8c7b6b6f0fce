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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"

/* Far from what programs expect of their first descriptors. */
enum { KEPT_DESCRIPTOR = 500, LINE = 4096 };

static int fail(const char *format, const char *detail)
{
    fprintf(stderr, "facet: ");
    fprintf(stderr, format, detail);
    fprintf(stderr, "\n");
    return 1;
}

/* Where the daemon has its sockets; the daemon looks in the same order. */
static bool runtime_directory(char *path, size_t bytes)
{
    const char *given = getenv("FACET_RUNTIME_DIR");
    const char *session = getenv("XDG_RUNTIME_DIR");
    int length;
    if (given != NULL && *given != 0) {
        length = snprintf(path, bytes, "%s", given);
    } else if (geteuid() == 0) {
        length = snprintf(path, bytes, "/run/facet");
    } else if (session != NULL && *session != 0) {
        length = snprintf(path, bytes, "%s/facet", session);
    } else {
        length = snprintf(path, bytes, "/tmp/facet-%u", (unsigned)geteuid());
    }
    return length > 0 && (size_t)length < bytes;
}

static int connect_control(const char *directory)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/control", directory);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return -1;
    }
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        int reason = errno;
        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
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

/* Sends one line and reads the one that answers it. */
static bool ask(int descriptor, const char *line, char *answer, size_t bytes)
{
    size_t left = strlen(line);
    while (left > 0) {
        ssize_t sent = send(descriptor, line, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        line += sent;
        left -= (size_t)sent;
    }
    size_t got = 0;
    while (got + 1 < bytes) {
        ssize_t received = recv(descriptor, answer + got, bytes - 1 - got, 0);
        if (received < 0 && errno == EINTR) {
            continue;
        }
        if (received <= 0) {
            return false;
        }
        got += (size_t)received;
        if (answer[got - 1] == '\n') {
            answer[got - 1] = 0;
            return true;
        }
    }
    return false;
}

/* The value of a string member in a line of JSON; the daemon escapes only quotes and backslashes here. */
static bool member(const char *json, const char *name, char *value, size_t bytes)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(json, key);
    if (at == NULL) {
        return false;
    }
    size_t length = 0;
    for (at += strlen(key); *at != 0 && *at != '"' && length + 1 < bytes; at++) {
        if (*at == '\\' && at[1] != 0) {
            at++;
        }
        value[length++] = *at;
    }
    value[length] = 0;
    return *at == '"';
}

static bool append(char *line, size_t bytes, const char *name, const char *value)
{
    size_t length = strlen(line);
    int more = snprintf(line + length, bytes - length, " %s=", name);
    for (length += (size_t)more; *value != 0 && length + 4 < bytes; value++) {
        unsigned char each = (unsigned char)*value;
        if (each <= ' ' || each == '%' || each == '=' || each >= 127) {
            length += (size_t)sprintf(line + length, "%%%02X", each);
        } else {
            line[length++] = *value;
        }
    }
    line[length] = 0;
    return *value == 0;
}

/* Asks for a slice of its own; its socket goes to path. */
static bool take_slice(int control, const struct run_options *options, char *path, size_t bytes)
{
    char line[LINE] = "run";
    char answer[LINE];
    char number[32];
    bool fits = true;
    if (options->memory != 0) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)options->memory);
        fits &= append(line, sizeof line, "memory", number);
    }
    if (options->compute != 0) {
        snprintf(number, sizeof number, "%d", options->compute);
        fits &= append(line, sizeof line, "compute", number);
    }
    for (int i = 0; i < RUN_TERM_COUNT; i++) {
        if (options->terms[i] != NULL) {
            fits &= append(line, sizeof line, RUN_TERMS[i].key, options->terms[i]);
        }
    }
    if (options->name != NULL) {
        fits &= append(line, sizeof line, "name", options->name);
    }
    fits &= strlen(line) + 2 <= sizeof line;
    if (!fits) {
        fail("what was said about the slice is too long%s", "");
        return false;
    }
    strcat(line, "\n");
    if (!ask(control, line, answer, sizeof answer)) {
        fail("the daemon does not answer: %s. 'facet status' tells how it is", strerror(errno));
        return false;
    }
    if (member(answer, "socket", path, bytes)) {
        return true;
    }
    char reason[LINE];
    fail("%s", member(answer, "error", reason, sizeof reason) ? reason : "the daemon's answer cannot be read");
    return false;
}

/* The socket of a slice that is there already, or of the default one. */
static bool find_slice(const char *directory, const char *slice, char *path, size_t bytes)
{
    struct stat found;
    int length = slice == NULL ? snprintf(path, bytes, "%s/socket", directory)
                               : snprintf(path, bytes, "%s/slices/%s/socket", directory, slice);
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

static bool point_to_libraries(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
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

int main(int count, char **arguments)
{
    struct run_options options;
    int status = run_options_parse(count, arguments, &options);
    if (status >= 0) {
        return status;
    }
    char directory[PATH_MAX];
    if (!runtime_directory(directory, sizeof directory)) {
        return fail("the path of the runtime directory is too long%s", "");
    }
    int control = connect_control(directory);
    if (options.ping) {
        return control < 0;
    }
    if (control < 0 && options.script != NULL) {
        if (!start_daemon(options.script)) {
            return fail("no daemon runs and none could be started; '%s up' tells why", options.script);
        }
        control = connect_control(directory);
    }
    if (control < 0) {
        return fail("no daemon answers in %s; start one with 'facet up'", directory);
    }
    char path[PATH_MAX];
    if (run_options_own_slice(&options)) {
        if (!take_slice(control, &options, path, sizeof path)) {
            return 1;
        }
        if (fcntl(control, F_DUPFD, KEPT_DESCRIPTOR) < 0 && fcntl(control, F_DUPFD, 3) < 0) {
            return fail("the connection to the daemon cannot be kept: %s", strerror(errno));
        }
    } else if (!find_slice(directory, options.slice, path, sizeof path)) {
        return 1;
    }
    close(control);
    if (setenv("FACET_SOCKET", path, 1) != 0 || !point_to_libraries()) {
        return fail("the environment cannot be set: %s", strerror(errno));
    }
    execvp(options.program[0], options.program);
    int reason = errno;
    fprintf(stderr, "facet: cannot run %s: %s\n", options.program[0], strerror(reason));
    return reason == ENOENT ? 127 : 126;
}
