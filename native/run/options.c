#define _GNU_SOURCE
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { USAGE = 2 };

static const char HELP[] =
    "Usage: facet run [--memory SIZE] [--compute PERCENT] [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
    "       facet run --slice NAME [--] PROGRAM [ARGUMENTS]\n"
    "\n"
    "Runs a CUDA program, unchanged, with a slice of a GPU. Starts a daemon when none runs.\n"
    "\n"
    "  -m, --memory SIZE       memory of the slice: 512MiB, 4GiB, or a number of bytes\n"
    "  -c, --compute PERCENT   share of the device's time, 1 to 100\n"
    "  -p, --policy POLICY     fixed, burst, priority, time-slice or tidal; with compute alone: fixed\n"
    "      --priority NUMBER   0 to 100; with the policy priority the higher ones run first\n"
    "      --turn TIME         length of a turn (time-slice): 20ms\n"
    "      --calendar LINES    compute by time (tidal): 'mon-fri 08:00-20:00 80; sat 10:00-12:00 5'\n"
    "      --time-zone ZONE    of the calendar: Europe/Berlin\n"
    "      --multiprocessors NUMBER   most that its kernels use at once\n"
    "      --devices NUMBER    how many devices it sees\n"
    "      --device NUMBERS    which ones: 1, or 0,2\n"
    "      --node NODE         which machine of the pool they are of: a name, any or nearest\n"
    "      --model NAME        a part of their name: L4\n"
    "      --isolation KIND    where its kernels run: process, in a process of its own; shared, in the daemon\n"
    "      --engine ENGINE     direct: the vendor's driver works in the program; forwarded: all calls go to the\n"
    "                          daemon; auto: as it suits the devices, 'facet slice explain' tells why\n"
    "      --strict YES|NO     whether the direct engine refuses calls that it does not know (no)\n"
    "  -n, --name NAME         name of the slice, as 'facet ps' shows it\n"
    "  -s, --slice NAME        run in an existing slice, made by 'facet slice create' or 'facet apply'\n"
    "  -h, --help              this text\n"
    "\n"
    "Without these options the program runs in the default slice, which has the whole device.\n"
    "A slice made here ends with the program and its children.\n"
    "\n"
    "Examples:\n"
    "  facet run ./vectorAdd\n"
    "  facet run --memory 1GiB --compute 30 -- ./train --epochs 3\n"
    "  facet run -m 256MiB python3 script.py\n"
    "  facet run --policy priority --priority 90 ./serve\n"
    "  facet run --slice train ./train\n"
    "  facet run --engine direct --memory 2GiB ./train\n"
    "\n"
    "Exit codes: those of the program; 1 no slice, 2 wrong usage, 126 and 127 the program cannot be run.\n";

const struct run_term RUN_TERMS[RUN_TERM_COUNT] = {
    {"--policy", "policy"},     {"--priority", "priority"},  {"--turn", "turn"},
    {"--calendar", "calendar"}, {"--time-zone", "timeZone"}, {"--multiprocessors", "multiprocessors"},
    {"--devices", "devices"},   {"--device", "device"},      {"--isolation", "isolation"},
    {"--engine", "engine"},     {"--strict", "strict"},      {"--node", "node"},
    {"--model", "model"},
};

static int wrong(const char *format, const char *detail)
{
    fprintf(stderr, "facet: ");
    fprintf(stderr, format, detail);
    fprintf(stderr, "\nfacet: see 'facet run --help'\n");
    return USAGE;
}

/* 4GiB, 4g, 512 MiB, 1073741824; 0 when it is none of these. */
static uint64_t parse_size(const char *text)
{
    static const struct {
        const char *unit;
        int shift;
    } UNITS[] = {{"", 0},     {"b", 0},  {"k", 10},  {"kb", 10},  {"kib", 10}, {"m", 20},  {"mb", 20},
                 {"mib", 20}, {"g", 30}, {"gb", 30}, {"gib", 30}, {"t", 40},   {"tb", 40}, {"tib", 40}};
    if (!isdigit((unsigned char)*text)) {
        return 0;
    }
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    while (*end == ' ') {
        end++;
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (errno == 0 && strcasecmp(end, UNITS[i].unit) == 0) {
            uint64_t bytes = (uint64_t)number << UNITS[i].shift;
            return bytes >> UNITS[i].shift == number ? bytes : 0;
        }
    }
    return 0;
}

static int parse_percent(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    bool whole = end != text && (*end == 0 || strcmp(end, "%") == 0);
    return whole && number >= 1 && number <= 100 ? (int)number : 0;
}

/* The value of an option, which is the rest of the word or the next one. */
static const char *value_of(const char *word, const char *name, char **arguments, int count, int *at)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0) {
        return NULL;
    }
    if (word[length] == '=') {
        return word + length + 1;
    }
    if (word[length] != 0) {
        return NULL;
    }
    if (*at + 1 >= count) {
        return "";
    }
    return arguments[++*at];
}

static const char *either(const char *word, const char *name, const char *brief, char **arguments, int count, int *at)
{
    const char *value = value_of(word, name, arguments, count, at);
    return value != NULL ? value : value_of(word, brief, arguments, count, at);
}

/* The number of the term whose option a word is, with its value; -1: none. */
static int term_of(const char *word, char **arguments, int count, int *at, const char **value)
{
    for (int i = 0; i < RUN_TERM_COUNT; i++) {
        *value = value_of(word, RUN_TERMS[i].option, arguments, count, at);
        if (*value != NULL) {
            return i;
        }
    }
    *value = value_of(word, "-p", arguments, count, at);
    return *value != NULL ? 0 : -1;
}

bool run_options_own_slice(const struct run_options *options)
{
    bool own = options->memory != 0 || options->compute != 0 || options->name != NULL;
    for (int i = 0; i < RUN_TERM_COUNT; i++) {
        own |= options->terms[i] != NULL;
    }
    return own;
}

int run_options_parse(int count, char **arguments, struct run_options *options)
{
    memset(options, 0, sizeof *options);
    int at = 1;
    for (; at < count && arguments[at][0] == '-'; at++) {
        const char *word = arguments[at];
        const char *value;
        int term;
        if (strcmp(word, "--") == 0) {
            at++;
            break;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(HELP, stdout);
            return 0;
        } else if ((value = either(word, "--memory", "-m", arguments, count, &at)) != NULL) {
            options->memory = parse_size(value);
            if (options->memory == 0) {
                return wrong("'%s' is not an amount of memory; write 512MiB or 4GiB", value);
            }
        } else if ((value = either(word, "--compute", "-c", arguments, count, &at)) != NULL) {
            options->compute = parse_percent(value);
            if (options->compute == 0) {
                return wrong("'%s' is not a share of compute; write a number from 1 to 100", value);
            }
        } else if ((value = either(word, "--name", "-n", arguments, count, &at)) != NULL) {
            if (*value == 0) {
                return wrong("a slice needs a name that is not empty%s", "");
            }
            options->name = value;
        } else if ((value = either(word, "--slice", "-s", arguments, count, &at)) != NULL) {
            if (*value == 0 || *value == '.' || strchr(value, '/') != NULL) {
                return wrong("'%s' is no name of a slice; 'facet slice list' shows them", value);
            }
            options->slice = value;
        } else if ((term = term_of(word, arguments, count, &at, &value)) >= 0) {
            if (*value == 0) {
                return wrong("%s needs a value", RUN_TERMS[term].option);
            }
            options->terms[term] = value;
        } else if (strcmp(word, "--ping") == 0) {
            options->ping = true;
        } else if ((value = value_of(word, "--start-with", arguments, count, &at)) != NULL) {
            options->script = value;
        } else {
            return wrong("there is no option '%s'", word);
        }
    }
    if (at >= count && !options->ping) {
        return wrong("which program%s?", "");
    }
    if (options->slice != NULL && run_options_own_slice(options)) {
        return wrong("slice %s has its own settings: change them with 'facet slice set', or leave out --slice", options->slice);
    }
    options->program = arguments + at;
    return -1;
}
