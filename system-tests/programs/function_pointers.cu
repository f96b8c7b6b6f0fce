// Calls that are decided on the device: function pointers, virtual functions, recursion.
#include "check.h"

typedef int (*operation)(int, int);

__device__ __noinline__ int add(int a, int b)
{
    return a + b;
}
__device__ __noinline__ int multiply(int a, int b)
{
    return a * b;
}
__device__ __noinline__ int subtract(int a, int b)
{
    return a - b;
}

__device__ operation table[] = {add, multiply, subtract};

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int area() const = 0;
};

struct square : shape {
    int edge;
    __device__ explicit square(int e) : edge(e) {}
    __device__ int area() const override
    {
        return edge * edge;
    }
};

struct box : square {
    int height;
    __device__ box(int e, int h) : square(e), height(h) {}
    __device__ int area() const override
    {
        return 2 * square::area() + 4 * edge * height;
    }
};

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void call(int *out)
{
    int i = threadIdx.x;
    out[3 * i] = table[i % 3](i, 7);
    square s(i);
    box b(i, 2);
    const shape *one = i % 2 ? static_cast<const shape *>(&s) : &b;
    out[3 * i + 1] = one->area();
    out[3 * i + 2] = fibonacci(i % 15);
}

int main()
{
    const int threads = 64;
    int *device = device_array<int>(3 * threads), out[3 * threads];
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
    call<<<1, threads>>>(device);
    LAUNCHED();
    host_copy(out, device, 3 * threads);
    for (int i = 0; i < threads; i++) {
        int expected[3] = {i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i - 7, i % 2 ? i * i : 2 * i * i + 8 * i, 0}, before = 1;
        for (int n = 0; n < i % 15; n++) {
            int next = expected[2] + before;
            before = expected[2];
            expected[2] = next;
        }
        for (int k = 0; k < 3; k++) {
            REQUIRE(out[3 * i + k] == expected[k], "thread %d, value %d: %d, expected %d", i, k, out[3 * i + k], expected[k]);
        }
    }
    printf("ok %d threads\n", threads);
    return 0;
}
