#include "options.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG = 2 };

static const char USAGE[] =
    "Usage: facet-confine --connect SOCKET [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "\n"
    "Connects to SOCKET, and runs PROGRAM with that connection as descriptor 3 and with nothing else of the machine.\n"
    "\n"
    "  --read PATH      a file or folder that the program sees; no others are there\n"
    "  --device PATH    a device or socket that it can use; the same for writing\n"
    "  --user NUMBER    its user and group, where the caller is root\n"
    "  --group FOLDER   a control group that it joins\n"
    "  --files N        descriptors that it may have open (8192)\n"
    "  --processes N    threads that it may have, where the caller is root (2048)\n"
    "  --require        fail where the system refuses a piece, instead of saying so\n";

static int wrong(const char *text, const char *what)
{
    fprintf(stderr, "facet-confine: %s %s; see facet-confine --help\n", text, what);
    return WRONG;
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == 0 && *value >= least && *value <= most;
}

static bool add(const char *list[], int *count, int limit, const char *value)
{
    if (*count == limit || value[0] != '/') {
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool take(struct confine_options *options, const char *name, const char *value)
{
    uint64_t parsed = 0;
    bool right = true;
    if (strcmp(name, "--connect") == 0) {
        options->connect = value;
    } else if (strcmp(name, "--read") == 0) {
        right = add(options->reads, &options->read_count, CONFINE_READ_LIMIT, value);
    } else if (strcmp(name, "--device") == 0) {
        right = add(options->devices, &options->device_count, CONFINE_DEVICE_LIMIT, value);
    } else if (strcmp(name, "--group") == 0) {
        right = add(options->groups, &options->group_count, CONFINE_GROUP_LIMIT, value);
    } else if (strcmp(name, "--user") == 0) {
        right = number(value, 1, UINT32_MAX - 1, &parsed);
        options->user = (uid_t)parsed;
    } else if (strcmp(name, "--files") == 0) {
        right = number(value, 16, UINT32_MAX, &parsed);
        options->files = (rlim_t)parsed;
    } else if (strcmp(name, "--processes") == 0) {
        right = number(value, 16, UINT32_MAX, &parsed);
        options->processes = (rlim_t)parsed;
    } else {
        right = false;
    }
    return right;
}

int confine_options_parse(int count, char **arguments, struct confine_options *options)
{
    *options = (struct confine_options){.files = 8192, .processes = 2048};
    int i = 1;
    for (; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(USAGE, stdout);
            return 0;
        }
        if (strcmp(arguments[i], "--require") == 0) {
            options->require = true;
        } else if (i + 1 == count || !take(options, arguments[i], arguments[i + 1])) {
            return wrong("cannot use", arguments[i]);
        } else {
            i++;
        }
    }
    if (options->connect == NULL) {
        return wrong("there is no", "--connect");
    }
    if (i + 1 >= count || arguments[i + 1][0] != '/') {
        return wrong("there is no path of a program behind", "--");
    }
    options->program = arguments + i + 1;
    return -1;
}
