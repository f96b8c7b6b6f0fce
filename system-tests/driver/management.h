/* What tests of NVML are written with: calls by name, and ending when an answer is another one. */
#ifndef FACET_MANAGEMENT_H
#define FACET_MANAGEMENT_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library, *device;

static void *symbol(const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        printf("%s is missing\n", name);
        exit(1);
    }
    return found;
}

#define CALL(name, ...) (((int (*)())symbol(name))(__VA_ARGS__))
#define SAME(call, code)                                                                    \
    do {                                                                                    \
        int got_ = (call);                                                                  \
        if (got_ != (code)) {                                                               \
            printf("line %d: %s is %d, expected %d\n", __LINE__, #call, got_, (int)(code)); \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)
#define REQUIRE(condition)                                         \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition); \
            exit(1);                                               \
        }                                                          \
    } while (0)

#endif
