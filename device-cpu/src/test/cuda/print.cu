// nvcc: -arch=sm_75
// The formats of the device's printf.

#include <cstdio>

extern "C" __global__ void print_formats(int d, unsigned u, long long l, double f, const void* p) {
    printf("d=%d u=%u x=%x X=%X o=%o\n", d, u, u, u, u);
    printf("lld=%lld llu=%llu llx=%llx\n", l, (unsigned long long) l, (unsigned long long) l);
    printf("f=%f e=%e g=%g 5.2f=%5.2f\n", f, f, f, f);
    printf("s=%s c=%c percent=%%\n", "text", 'A' + (d & 7));
    printf("[%5d] [%-5d] [%05d] [%+d] [%#x] [%8.3e]\n", d, d, d, d, u, f);
    printf("p=%p\n", p);
    printf("plain\n");
    printf("[%8s] [%-8s] [%.2s]\n", "abc", "abc", "abc");
    printf("%hd %hhd %i\n", (short) d, (signed char) d, d);
}

extern "C" __global__ void print_threads(int base) {
    if (threadIdx.x % 2 == 0) {
        printf("<%d:%d>\n", blockIdx.x, base + threadIdx.x);
    }
}

// Returns what printf returns: the number of arguments.
extern "C" __global__ void print_result(int* out) {
    out[0] = printf("a\n");
    out[1] = printf("b %d %f\n", 1, 2.5);
}
