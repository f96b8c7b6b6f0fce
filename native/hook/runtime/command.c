#include "command.h"

#include <stddef.h>
#include <string.h>

/* Options of runc and crun whose value may be the next word; all others stand alone. */
static const char *const WITH_VALUE[] = {
    "log", "log-format", "log-level",      "root",     "criu",         "rootless", "cgroup-manager", /* of all commands */
    "b",   "bundle",     "console-socket", "pid-file", "preserve-fds", "f",        "config",     /* of create and run */
};

struct option {
    const char *name; /* without dashes */
    size_t length;
    const char *value; /* NULL: none */
};

static bool is(const struct option *option, const char *name)
{
    return option->length == strlen(name) && memcmp(option->name, name, option->length) == 0;
}

/* Both take one dash and two, and a value as the next word or behind a sign of equality. */
static struct option option_at(int count, char **arguments, int *at)
{
    const char *word = arguments[*at];
    struct option option = {.name = word + (word[1] == '-' ? 2 : 1)};
    option.length = strcspn(option.name, "=");
    if (option.name[option.length] == '=') {
        option.value = option.name + option.length + 1;
        return option;
    }
    for (size_t i = 0; i < sizeof WITH_VALUE / sizeof WITH_VALUE[0]; i++) {
        if (is(&option, WITH_VALUE[i]) && *at + 1 < count) {
            option.value = arguments[++*at];
        }
    }
    return option;
}

void runtime_command_parse(int count, char **arguments, struct runtime_command *command)
{
    *command = (struct runtime_command){.bundle = "."};
    for (int at = 1; at < count; at++) {
        const char *word = arguments[at];
        if (strcmp(word, "--") == 0) {
            break;
        }
        if (word[0] != '-' || word[1] == 0) {
            command->verb = command->verb == NULL ? word : command->verb;
            continue;
        }
        struct option option = option_at(count, arguments, &at);
        if (option.value == NULL) {
            continue;
        }
        if (is(&option, "bundle") || is(&option, "b")) {
            command->bundle = option.value;
        } else if (is(&option, "log")) {
            command->log = option.value;
        } else if (is(&option, "log-format")) {
            command->log_json = strcmp(option.value, "json") == 0;
        }
    }
}

bool runtime_command_creates(const struct runtime_command *command)
{
    return command->verb != NULL && (strcmp(command->verb, "create") == 0 || strcmp(command->verb, "run") == 0);
}
