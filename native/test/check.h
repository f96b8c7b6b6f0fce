/* For tests of pure parts: says what was expected, goes on, and counts. */
#ifndef FACET_CHECK_H
#define FACET_CHECK_H

#include <stdio.h>
#include <string.h>

static int facet_failures;

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            facet_failures++;                                                         \
        }                                                                             \
    } while (0)

#define CHECK_EQUAL(expected, actual)                                                                   \
    do {                                                                                                \
        long long wanted = (long long)(expected);                                                       \
        long long got = (long long)(actual);                                                            \
        if (wanted != got) {                                                                            \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, got, wanted); \
            facet_failures++;                                                                           \
        }                                                                                               \
    } while (0)

#define CHECK_TEXT(expected, actual)                                                                        \
    do {                                                                                                    \
        const char *wanted = (expected);                                                                    \
        const char *got = (actual);                                                                         \
        if (got == NULL || strcmp(wanted, got) != 0) {                                                      \
            fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #actual, got, wanted); \
            facet_failures++;                                                                               \
        }                                                                                                   \
    } while (0)

#define CHECK_RESULT() (facet_failures == 0 ? 0 : 1)

#endif
