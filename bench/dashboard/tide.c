/* tide KERNELS.ptx MEBIBYTES PERIOD PHASE [REST]: a program whose work and memory rise and fall, for pictures and measurements of the
 * dashboard. PERIOD in seconds; PHASE from 0 to 1; REST seconds between a tenth of a second and the next. It runs until its input ends. KERNELS has the kernel of bench/isolation. */
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../native/demo/demo.h"

enum { BLOCKS = 16, THREADS = 64, ROUNDS = 2000, PIECES = 16, AHEAD = 4 };

static const double PI = 3.14159265358979323846;

/* As many pieces as the height of the tide asks for; touched, so that they are really there. */
static void hold(CUdeviceptr *pieces, size_t bytes, double height)
{
    for (int i = 0; i < PIECES; i++) {
        int wanted = i < height * PIECES;
        if (wanted && pieces[i] == 0) {
            CHECK(cuMemAlloc(&pieces[i], bytes));
            CHECK(cuMemsetD8(pieces[i], 1, bytes));
        } else if (!wanted && pieces[i] != 0) {
            CHECK(cuMemFree(pieces[i]));
            pieces[i] = 0;
        }
    }
}

int main(int count, char **arguments)
{
    if (count < 5 || count > 6 || atof(arguments[2]) <= 0 || atof(arguments[3]) <= 0) {
        fprintf(stderr, "usage: tide KERNELS.ptx MEBIBYTES PERIOD PHASE [REST]\n");
        return 2;
    }
    CUfunction function = demo_open(arguments[1], "spin");
    size_t piece = (size_t)(atof(arguments[2]) * (1 << 20)) / PIECES;
    double period = atof(arguments[3]), phase = atof(arguments[4]), begun = demo_seconds();
    double rest = count == 6 ? atof(arguments[5]) : 0;
    CUdeviceptr counts, values, none = 0, pieces[PIECES] = {0};
    uint32_t rounds = ROUNDS;
    CHECK(cuMemAlloc(&counts, BLOCKS * sizeof(uint32_t)));
    CHECK(cuMemAlloc(&values, BLOCKS * THREADS * sizeof(float)));
    CHECK(cuMemsetD8(counts, 0, BLOCKS * sizeof(uint32_t)));
    void *parameters[] = {&counts, &values, &none, &rounds};
    puts("runs");
    fflush(stdout);
    struct pollfd input = {.fd = 0, .events = POLLIN};
    while (poll(&input, 1, 0) == 0) {
        double started = demo_seconds();
        double height = 0.5 - 0.5 * cos(2 * PI * ((started - begun) / period + phase));
        hold(pieces, piece, 0.3 + 0.6 * height);
        /* Works for a part of a tenth of a second and sleeps for the rest. */
        do {
            /* More than one at a time, so that the device need not wait for us. */
            for (int i = 0; i < AHEAD; i++) {
                CHECK(cuLaunchKernel(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL));
            }
            CHECK(cuCtxSynchronize());
        } while (rest == 0 && demo_seconds() < started + 0.1 * (0.15 + 0.95 * height));
        double left = started + 0.1 + rest - demo_seconds();
        if (left > 0 && poll(&input, 1, (int)(left * 1000)) != 0) {
            break;
        }
    }
    return 0;
}
