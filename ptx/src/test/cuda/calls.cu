// printf, assert, malloc, recursion, function pointers, virtual functions.
#include <assert.h>
#include <stdio.h>

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

typedef float (*Operation)(float, float);
__device__ __noinline__ float plus(float a, float b) { return a + b; }
__device__ __noinline__ float times(float a, float b) { return a * b; }
__device__ Operation operations[] = {plus, times, nullptr};
__constant__ Operation fixed = times;

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float radius) : radius(radius) {}
    __device__ float area() const override { return 3.14159f * radius * radius; }
};

struct Big {
    double values[9];
    char tag;
};
__device__ __noinline__ Big build(Big from, short step) {
    for (int i = 0; i < 9; i++) {
        from.values[i] += step;
    }
    from.tag ^= 1;
    return from;
}

__device__ __noinline__ void stop() {
    printf("stop\n");
    __trap();
}

__global__ void calls(float *data, int which, Big *big) {
    float a = data[threadIdx.x];
    data[threadIdx.x] = operations[which](a, 2.0f) + fixed(a, 3.0f) + fibonacci(which);
    printf("thread %d has %f, %s\n", threadIdx.x, a, "text with \"quotes\"");
    Shape *shape = which > 3 ? (Shape *)new Square(a) : (Shape *)new Circle(a);
    data[0] += shape->area();
    delete shape;
    assert(which < 100);
    *big = build(*big, (short)which);
    if (which == 77) {
        stop();
    }
    void *block = malloc(which);
    free(block);
}
