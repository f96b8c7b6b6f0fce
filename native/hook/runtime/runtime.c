/* facet-runtime: an OCI runtime that is runc or crun, but for the containers that ask for a slice of a GPU.
 *
 * Before a container is created it lets the daemon add Facet's hooks to the bundle's config.json; then it becomes the
 * real runtime. docs/containers.md */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bundle.h"
#include "command.h"
#include "control.h"
#include "say.h"
#include "version.h"

static const char HELP[] =
    "Usage: facet-runtime ARGUMENTS OF runc\n"
    "\n"
    "An OCI runtime: the real one, with slices of a GPU for the containers that ask for one by their environment or\n"
    "annotations (FACET_MEMORY=1GiB, FACET_COMPUTE=30, ...). 'create' and 'run' add Facet's hooks to config.json of such a\n"
    "container; everything else goes to the real runtime as it is.\n"
    "\n"
    "Examples:\n"
    "  facet-runtime run --bundle /bundles/train train\n"
    "  podman --runtime /usr/bin/facet-runtime run -e FACET_MEMORY=1GiB -e FACET_COMPUTE=30 IMAGE ./train\n"
    "  ctr run --runc-binary /usr/bin/facet-runtime --env FACET_MEMORY=1GiB IMAGE train ./train\n"
    "\n"
    "Environment:\n"
    "  FACET_RUNTIME      the real runtime; else runc or crun on PATH\n"
    "  FACET_RUNTIME_DIR  where the daemon has its sockets (/run/facet)\n"
    "\n"
    "'facet-runtime --version' prints this version to standard error, then that of the real runtime. Exit codes are those of the real runtime; 1 where\n"
    "there is none, or no slice.\n";

/* Whether a path is this program under another name. */
static bool is_self(const char *path)
{
    struct stat self, other;
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

/* A program on PATH that is not this one. */
static bool find_on_path(const char *name, char *path, size_t bytes)
{
    const char *all = getenv("PATH");
    if (all == NULL || *all == 0) {
        all = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    }
    while (*all != 0) {
        int length = (int)strcspn(all, ":");
        if (length > 0 && snprintf(path, bytes, "%.*s/%s", length, all, name) < (int)bytes && access(path, X_OK) == 0 && !is_self(path)) {
            return true;
        }
        all += length + (all[length] == ':');
    }
    return false;
}

static bool find_runtime(char *path, size_t bytes)
{
    const char *given = getenv("FACET_RUNTIME");
    if (given != NULL && *given != 0) {
        bool found = strchr(given, '/') == NULL ? find_on_path(given, path, bytes)
                                                : snprintf(path, bytes, "%s", given) < (int)bytes && access(path, X_OK) == 0 && !is_self(path);
        return found || facet_fail("FACET_RUNTIME is '%s', which is no runtime that can be started", given);
    }
    return find_on_path("runc", path, bytes) || find_on_path("crun", path, bytes) ||
           facet_fail("neither runc nor crun is on PATH; install one, or name it in FACET_RUNTIME");
}

/* The hook is beside this program. */
static bool find_hook(char *path, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    path[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + sizeof "/facet-hook" > bytes) {
        return facet_fail("/proc/self/exe cannot be read; is /proc mounted?");
    }
    strcpy(slash, "/facet-hook");
    return access(path, X_OK) == 0 || facet_fail("%s is missing; install Facet again", path);
}

/* Engines look into the runtime's log for the reason. */
static void log_failure(const struct runtime_command *command)
{
    FILE *log = command->log == NULL ? NULL : fopen(command->log, "ae");
    if (log == NULL) {
        return;
    }
    char now[64];
    time_t seconds = time(NULL);
    struct tm parts;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
    fprintf(log, command->log_json ? "{\"level\":\"error\",\"msg\":\"facet: " : "time=\"%s\" level=error msg=\"facet: ", now);
    for (const char *each = facet_last_failure(); *each != 0; each++) {
        if (*each == '"' || *each == '\\') {
            fputc('\\', log);
        }
        fputc((unsigned char)*each < ' ' ? ' ' : *each, log);
    }
    fprintf(log, command->log_json ? "\",\"time\":\"%s\"}\n" : "\"\n", now);
    fclose(log);
}

static bool prepare(const struct runtime_command *command)
{
    char directory[PATH_MAX], hook[PATH_MAX];
    if (!facet_runtime_directory(directory, sizeof directory)) {
        return facet_fail("the path of the runtime directory is too long");
    }
    return find_hook(hook, sizeof hook) && bundle_prepare(command->bundle, directory, hook);
}

int main(int count, char **arguments)
{
    struct runtime_command command;
    char path[PATH_MAX];
    if (count == 2 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0)) {
        fputs(HELP, stdout);
        return 0;
    }
    runtime_command_parse(count, arguments, &command);
    if (count == 2 && strcmp(arguments[1], "--version") == 0) {
        /* Standard output is the runtime's own: engines read it. */
        fputs("facet-runtime " FACET_VERSION "\n", stderr);
    }
    if (!find_runtime(path, sizeof path) || (runtime_command_creates(&command) && !prepare(&command))) {
        log_failure(&command);
        return 1;
    }
    arguments[0] = path;
    execv(path, arguments);
    facet_fail("%s cannot be run: %s", path, strerror(errno));
    log_failure(&command);
    return 1;
}
