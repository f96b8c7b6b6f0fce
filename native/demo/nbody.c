/* nbody KERNELS SECONDS: bodies that pull each other; their common momentum must stay what it was. */
#include "demo.h"
#include <math.h>

enum { BODIES = 2048, BLOCK = 128 };

struct body {
    float x, y, z, w;
};

static float random_part(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 24) - 0.5f;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: nbody KERNELS.ptx SECONDS\n");
        return 2;
    }
    CUfunction function = demo_open(arguments[1], "nbody");
    double end = demo_seconds() + atof(arguments[2]);
    static struct body bodies[BODIES], velocities[BODIES];
    unsigned state = 1;
    for (int i = 0; i < BODIES; i++) {
        bodies[i] = (struct body){random_part(&state), random_part(&state), random_part(&state), 1.0f / BODIES};
    }
    CUdeviceptr places[2], speeds;
    CHECK(cuMemAlloc(&places[0], sizeof bodies));
    CHECK(cuMemAlloc(&places[1], sizeof bodies));
    CHECK(cuMemAlloc(&speeds, sizeof velocities));
    CHECK(cuMemcpyHtoD(places[0], bodies, sizeof bodies));
    CHECK(cuMemsetD8(speeds, 0, sizeof velocities));
    int n = BODIES, steps = 0;
    float seconds = 0.001f;
    do {
        void *parameters[] = {&n, &seconds, &places[steps % 2], &places[(steps + 1) % 2], &speeds};
        CHECK(cuLaunchKernel(function, BODIES / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, parameters, NULL));
        CHECK(cuCtxSynchronize());
        steps++;
    } while (demo_seconds() < end);
    CHECK(cuMemcpyDtoH(velocities, speeds, sizeof velocities));
    double momentum = 0, motion = 0;
    for (int i = 0; i < BODIES; i++) {
        momentum += velocities[i].x;
        motion += fabs(velocities[i].x);
    }
    if (motion == 0 || fabs(momentum) > 1e-3 * motion) {
        fprintf(stderr, "the momentum is %g of a motion of %g\n", momentum, motion);
        return 1;
    }
    printf("%zu\t%d steps of %d bodies\n", demo_memory(), steps, BODIES);
    return 0;
}
