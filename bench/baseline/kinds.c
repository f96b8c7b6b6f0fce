// Times the loops of kinds_loops.c on one thread, with the inputs that bench/README.md gives.
#define _POSIX_C_SOURCE 200809L
#include "kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 1 << 16, CHUNK_BYTES = 64 };

// The 32-bit finaliser of MurmurHash3.
static uint32_t hash(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void *allocate(size_t words)
{
    void *memory = aligned_alloc(64, (words * 4 + 63) / 64 * 64);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu words\n", words);
        exit(1);
    }
    return memset(memory, 0, (words * 4 + 63) / 64 * 64);
}

static uint32_t *words(uint32_t stream, uint32_t count)
{
    uint32_t *memory = allocate(count);
    for (uint32_t i = 0; i < count; i++) {
        memory[i] = hash(stream << 24 | i);
    }
    return memory;
}

static float *values(uint32_t stream, uint32_t count)
{
    float *memory = allocate(count);
    for (uint32_t i = 0; i < count; i++) {
        memory[i] = (float)(hash(stream << 24 | i) >> 8) / 16777216.0f;
    }
    return memory;
}

static void fill_words(struct arrays *arrays, uint32_t count)
{
    arrays->input[0] = words(0, count);
}

// Halves from 0.5 to 1.
static void fill_halves(struct arrays *arrays, uint32_t count)
{
    uint32_t *halves = words(0, count);
    for (uint32_t i = 0; i < count; i++) {
        halves[i] = (halves[i] & 0x03ff03ff) | 0x38003800;
    }
    arrays->input[0] = halves;
}

static void fill_values(struct arrays *arrays, uint32_t count)
{
    arrays->input[0] = values(0, count);
}

static void fill_matrix(struct arrays *arrays, uint32_t count)
{
    uint32_t *starts = allocate(ROWS + 1);
    for (uint32_t row = 0; row < ROWS; row++) {
        starts[row + 1] = starts[row] + 4 + (hash(row) & 31);
    }
    uint32_t *columns = words(1, count);
    for (uint32_t i = 0; i < count; i++) {
        columns[i] &= ROWS - 1;
    }
    arrays->input[0] = starts;
    arrays->input[1] = columns;
    arrays->input[2] = values(2, count);
    arrays->input[3] = values(3, ROWS);
}

static void fill_crc(struct arrays *arrays, uint32_t count)
{
    uint32_t *table = allocate(256);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t sum = i;
        for (int bit = 0; bit < 8; bit++) {
            sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
        }
        table[i] = sum;
    }
    arrays->input[0] = table;
    arrays->input[1] = words(0, count);
}

// What is timed: `n` as the loop takes it, `input` and `output` in words of 4 bytes.
static const struct kind {
    const char *name;
    loop *run;
    int n;
    void (*fill)(struct arrays *arrays, uint32_t count);
    uint32_t input;
    uint32_t output;
    int floats;
} kinds[] = {
    {"copy_u8", copy_u8, 1 << 24, fill_words, 1 << 22, 1 << 22, 0},
    {"copy_u16", copy_u16, 1 << 23, fill_words, 1 << 22, 1 << 22, 0},
    {"copy_v4", copy_v4, 1 << 20, fill_words, 1 << 22, 1 << 22, 0},
    {"scan", scan, 1 << 20, fill_words, 1 << 20, 1 << 20, 0},
    {"sort", sort, 1 << 20, fill_words, 1 << 20, 1 << 20, 0},
    {"transpose", transpose, 1 << 11, fill_words, 1 << 22, 1 << 22, 0},
    {"spmv", spmv, ROWS, fill_matrix, 36 * ROWS, ROWS, 1},
    {"collatz", collatz, 1 << 18, fill_words, 1 << 18, 1 << 18, 0},
    {"hash64", hash64, 1 << 20, fill_words, 1 << 21, 1 << 21, 0},
    {"crc", crc, 1 << 16, fill_crc, (1 << 16) * CHUNK_BYTES / 4, 1 << 16, 0},
    {"half_steps", half_steps, 1 << 20, fill_halves, 1 << 19, 1 << 19, 0},
    {"black_scholes", black_scholes, 1 << 20, fill_values, 3 << 20, 2 << 20, 1},
};

// Of whole numbers it is exact; of floats it is the sum that the other workloads have.
static double checksum(const struct kind *kind, const void *output)
{
    double sum = 0;
    for (uint32_t i = 0; i < kind->output; i++) {
        double each = kind->floats ? fabs((double)((const float *)output)[i]) : (double)(((const uint32_t *)output)[i] % 65521);
        sum += each * (1 + i % 256);
    }
    return sum;
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int ascending(const void *left, const void *right)
{
    double l = *(const double *)left;
    double r = *(const double *)right;
    return (l > r) - (l < r);
}

static void measure(const struct kind *kind, int warmup, int runs)
{
    struct arrays arrays = {{NULL, NULL, NULL, NULL}, NULL};
    kind->fill(&arrays, kind->input);
    arrays.output = allocate(kind->output);
    kind->run(kind->n, &arrays);
    double sum = checksum(kind, arrays.output);
    double *times = allocate((size_t)runs * 2);
    for (int i = 0; i < warmup; i++) {
        kind->run(kind->n, &arrays);
    }
    for (int i = 0; i < runs; i++) {
        double start = milliseconds();
        kind->run(kind->n, &arrays);
        times[i] = milliseconds() - start;
    }
    qsort(times, (size_t)runs, sizeof *times, ascending);
    printf("{\"kernel\":\"%s\",\"milliseconds\":%.4f,\"median_milliseconds\":%.4f,\"checksum\":%.17g}\n", kind->name, times[0], times[runs / 2], sum);
    free(times);
    free(arrays.output);
    for (int i = 0; i < 4; i++) {
        free(arrays.input[i]);
    }
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    int warmup = 10;
    int runs = 20;
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--only") == 0) {
            only = value;
        } else if (strcmp(argv[i], "--warmup") == 0 && atoi(value) > 0) {
            warmup = atoi(value);
        } else if (strcmp(argv[i], "--runs") == 0 && atoi(value) > 0) {
            runs = atoi(value);
        } else {
            fprintf(stderr, "usage: %s [--only NAME] [--warmup N] [--runs N]\n", argv[0]);
            return 2;
        }
    }
    int found = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (only == NULL || strcmp(only, kinds[i].name) == 0) {
            measure(&kinds[i], warmup, runs);
            found++;
        }
    }
    if (found == 0) {
        fprintf(stderr, "no loop is named '%s'\n", only);
        return 2;
    }
    return 0;
}
