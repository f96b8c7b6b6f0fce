/* mandelbrot KERNELS SECONDS WIDTH HEIGHT FILE: iteration counts of each point go to the file. */
#include "demo.h"

int main(int count, char **arguments)
{
    if (count != 6) {
        fprintf(stderr, "usage: mandelbrot KERNELS.ptx SECONDS WIDTH HEIGHT FILE\n");
        return 2;
    }
    CUfunction function = demo_open(arguments[1], "mandelbrot");
    double end = demo_seconds() + atof(arguments[2]);
    int width = atoi(arguments[3]), height = atoi(arguments[4]), iterations = 255;
    float step = 3.0f / (float)width, left = -2.15f, top = -step * (float)height / 2;
    size_t bytes = (size_t)width * (size_t)height * sizeof(unsigned short);
    unsigned short *counts = malloc(bytes);
    CUdeviceptr points;
    CHECK(cuMemAlloc(&points, bytes));
    int frames = 0;
    do {
        void *parameters[] = {&width, &height, &iterations, &left, &top, &step, &points};
        CHECK(cuLaunchKernel(function, (unsigned)(width + 31) / 32, (unsigned)(height + 7) / 8, 1, 32, 8, 1, 0, NULL, parameters, NULL));
        CHECK(cuCtxSynchronize());
        frames++;
    } while (demo_seconds() < end);
    CHECK(cuMemcpyDtoH(counts, points, bytes));
    FILE *file = fopen(arguments[5], "wb");
    if (counts == NULL || file == NULL || fwrite(counts, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(arguments[5]);
        return 1;
    }
    printf("%zu\t%d pictures of %d x %d points\n", demo_memory(), frames, width, height);
    return 0;
}
