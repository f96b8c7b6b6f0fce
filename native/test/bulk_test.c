/* Large copies: every byte, no more, at all alignments, and where the sides overlap. */
#include <stdlib.h>
#include <string.h>

#include "../libcuda/bulk.h"
#include "check.h"

enum { BYTES = 3 << 20, SLACK = 4096 };

static unsigned char from[BYTES + SLACK], to[BYTES + SLACK], expected[BYTES + SLACK];

static unsigned state = 1;

static unsigned next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void fill(unsigned char *bytes)
{
    for (size_t i = 0; i < BYTES + SLACK; i++)
        bytes[i] = (unsigned char)next();
}

int main(void)
{
    fill(from);
    for (int round = 0; round < 40; round++) {
        size_t source = next() % 200, target = next() % 200;
        size_t bytes = round < 4 ? (size_t)round : BYTES - next() % 300000;
        fill(to);
        memcpy(expected, to, sizeof to);
        memcpy(expected + target, from + source, bytes);
        facet_bulk_copy(to + target, from + source, bytes);
        CHECK(memcmp(to, expected, sizeof to) == 0);
        memcpy(expected, to, sizeof to);
        memmove(expected + target, expected + source, bytes);
        facet_bulk_copy(to + target, to + source, bytes);
        CHECK(memcmp(to, expected, sizeof to) == 0);
    }
    return CHECK_RESULT();
}
