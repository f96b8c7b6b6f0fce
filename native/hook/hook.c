/* facet-hook: gives a container its slice of a GPU when it is created, and takes it back when it has ended.
 *
 * Container runtimes call it, as root, with the container's state on standard input. docs/containers.md */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "create.h"
#include "say.h"
#include "version.h"
#include "wish.h"

enum { FAILED = 1, USAGE = 2, MOST_STATE = 16 << 20 };

static const char HELP[] =
    "Usage: facet-hook create|delete|auto [--slice NAME] [--runtime-dir DIR] < STATE\n"
    "\n"
    "Gives a container a slice of a GPU, and takes it back. Container runtimes call this program, with the\n"
    "container's state (JSON with id, pid, bundle) on standard input.\n"
    "\n"
    "  create             as hook 'createRuntime': asks the daemon for the slice that the container's environment\n"
    "                     or annotations ask for, and mounts libraries and the slice's socket into the container.\n"
    "                     Does nothing for a container that asks for none\n"
    "  delete             as hook 'poststop': gives the slice back and removes what was made\n"
    "  auto               'delete' when the 'status' in the state is 'stopped', else 'create'\n"
    "      --slice NAME   'create' gives the container this slice, which 'facet slice create' has made\n"
    "      --runtime-dir DIR   where the daemon has its sockets ($FACET_RUNTIME_DIR, /run/facet)\n"
    "  -h, --help         this text\n"
    "      --version      which version this is\n"
    "\n"
    "Examples, for config.json of a bundle (facet-runtime, podman's hooks.d and CDI put them there for you):\n"
    "  \"hooks\": {\n"
    "    \"createRuntime\": [{\"path\": \"/usr/lib/facet/bin/facet-hook\", \"args\": [\"facet-hook\", \"create\"]}],\n"
    "    \"poststop\": [{\"path\": \"/usr/lib/facet/bin/facet-hook\", \"args\": [\"facet-hook\", \"delete\"]}]\n"
    "  }\n"
    "  facet-hook delete <<< '{\"id\": \"web\", \"bundle\": \"/bundles/web\"}'     # by hand, when a runtime was killed\n"
    "\n"
    "Exit codes: 0 done, 1 failed; the reason is on standard error, 2 wrong usage. 'delete' never fails.\n";

enum verb { CREATE, DELETE, AUTO, NO_VERB };

static const char *const VERBS[] = {[CREATE] = "create", [DELETE] = "delete", [AUTO] = "auto"};

struct options {
    enum verb verb;
    const char *slice; /* to join, or NULL */
    char directory[PATH_MAX];
};

static int wrong(const char *format, const char *detail)
{
    fprintf(stderr, "facet: ");
    fprintf(stderr, format, detail);
    fprintf(stderr, "; see 'facet-hook --help'\n");
    return USAGE;
}

static enum verb verb_of(const char *word)
{
    enum verb verb = CREATE;
    while (verb < NO_VERB && strcmp(word, VERBS[verb]) != 0) {
        verb++;
    }
    return verb;
}

/* The value of an option, which is the rest of the word or the next one; NULL when it is another option. */
static const char *value_of(const char *name, int count, char **arguments, int *at)
{
    const char *word = arguments[*at];
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || (word[length] != '=' && word[length] != 0)) {
        return NULL;
    }
    if (word[length] == '=') {
        return word + length + 1;
    }
    return *at + 1 < count ? arguments[++*at] : "";
}

/* -1: go on; else the code to exit with. */
static int parse(int count, char **arguments, struct options *options)
{
    const char *directory = NULL;
    *options = (struct options){.verb = NO_VERB};
    for (int at = 1; at < count; at++) {
        const char *word = arguments[at], *value;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(HELP, stdout);
            return 0;
        } else if (strcmp(word, "--version") == 0) {
            puts("facet-hook " FACET_VERSION);
            return 0;
        } else if ((value = value_of("--runtime-dir", count, arguments, &at)) != NULL) {
            directory = value;
        } else if ((value = value_of("--slice", count, arguments, &at)) != NULL) {
            options->slice = value;
        } else if (word[0] == '-' || options->verb != NO_VERB) {
            return wrong("'%s' is not understood", word);
        } else {
            options->verb = verb_of(word);
            if (options->verb == NO_VERB) {
                return wrong("'%s' is none of 'create', 'delete', 'auto'", word);
            }
        }
    }
    if (options->verb == NO_VERB) {
        return wrong("a command is missing: 'create', 'delete' or 'auto'%s", "");
    }
    if ((directory != NULL && *directory == 0) || (options->slice != NULL && *options->slice == 0)) {
        return wrong("an option needs a value%s", "");
    }
    bool fits = directory == NULL ? facet_runtime_directory(options->directory, sizeof options->directory)
                                  : snprintf(options->directory, sizeof options->directory, "%s", directory) < PATH_MAX;
    return fits ? -1 : wrong("the path of the runtime directory is too long%s", "");
}

static bool run(struct options *options, struct container *container)
{
    struct facet_text state = {0};
    bool known = isatty(STDIN_FILENO) == 0 && facet_text_read(&state, STDIN_FILENO, MOST_STATE);
    known = known ? container_of_state(container, state.bytes)
                  : facet_fail("the container's state is read from standard input, and is not there; see --help");
    facet_text_free(&state);
    if (!known) {
        return false;
    }
    if (options->verb == AUTO) {
        options->verb = container->stopped ? DELETE : CREATE;
    }
    if (options->verb == DELETE) {
        hook_delete(options->directory, container->id.bytes);
        return true;
    }
    return container_read_config(container) &&
           ((options->slice == NULL && !facet_wish_possible(container->config.bytes)) || hook_create(options->directory, container, options->slice));
}

int main(int count, char **arguments)
{
    struct options options;
    int status = parse(count, arguments, &options);
    if (status >= 0) {
        return status;
    }
    umask(022);
    struct container container = {0};
    bool done = run(&options, &container);
    container_free(&container);
    return done || options.verb == DELETE ? 0 : FAILED;
}
