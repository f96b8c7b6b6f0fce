/* What a tenant gets of memory, and what its calls cost it. */
#include "tenant.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PIECES = 4096, CALLS = 2000, ROUNDS = 15 };

/* Takes pieces until it is refused, and uses each of them: memory that cannot be written to was not given. Keeps what
 * it got until it is asked once more with a piece of 0 bytes. */
void take(uint64_t piece)
{
    static CUdeviceptr pieces[MOST_PIECES];
    static unsigned count;
    if (piece == 0) {
        while (count > 0) {
            CHECK(cuMemFree(pieces[--count]));
        }
        return;
    }
    size_t available, total;
    CHECK(cuMemGetInfo(&available, &total));
    printf("sees %zu\n", total);
    CUresult result = CUDA_SUCCESS;
    uint64_t taken = 0;
    while (count < MOST_PIECES && (result = cuMemAlloc(&pieces[count], piece)) == CUDA_SUCCESS) {
        unsigned char mark = 0;
        CHECK(cuMemsetD8(pieces[count], 0xa5, piece));
        CHECK(cuMemcpyDtoH(&mark, pieces[count] + piece - 1, 1));
        if (mark != 0xa5) {
            fprintf(stderr, "what was written to device memory is not there\n");
            exit(1);
        }
        count++;
        taken += piece;
    }
    printf("taken %llu\nrefused %d\n", (unsigned long long)taken, (int)result);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void print_median(const char *name, double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    printf("%s %.1f\n", name, values[ROUNDS / 2]);
}

/* Nanoseconds that calls take of their caller: medians of rounds. */
void calls(void)
{
    double launch[ROUNDS], wait[ROUNDS], allocate[ROUNDS];
    device_use(1, 1);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t started = now();
        for (int i = 0; i < CALLS; i++) {
            device_launch();
        }
        launch[round] = (double)(now() - started) / CALLS;
        device_wait();
        started = now();
        for (int i = 0; i < CALLS / 10; i++) {
            device_launch();
            device_wait();
        }
        wait[round] = (double)(now() - started) / (CALLS / 10);
        started = now();
        for (int i = 0; i < CALLS / 10; i++) {
            CUdeviceptr place;
            CHECK(cuMemAlloc(&place, 4096));
            CHECK(cuMemFree(place));
        }
        allocate[round] = (double)(now() - started) / (CALLS / 10);
    }
    print_median("launch", launch);
    print_median("wait", wait);
    print_median("allocate", allocate);
}
