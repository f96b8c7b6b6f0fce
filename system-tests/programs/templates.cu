// Kernels as C++ has them: templates, functors, lambdas, namespaces, overloads.
// flags: --extended-lambda
#include "check.h"

#include <vector>

namespace
{
template <class T, class F> __global__ void map(T *data, int count, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = f(data[i], i);
    }
}

struct scale {
    double factor;
    template <class T> __device__ T operator()(T value, int) const
    {
        return static_cast<T>(value * factor);
    }
};
} // namespace

namespace inner
{
__global__ void store(int *to)
{
    *to = 1;
}
__global__ void store(float *to)
{
    *to = 2.5f;
}
} // namespace inner

template <int N> struct factorial {
    static constexpr int value = N * factorial<N - 1>::value;
};
template <> struct factorial<0> {
    static constexpr int value = 1;
};

template <int N> __global__ void constant(int *to)
{
    *to = factorial<N>::value;
}

int main()
{
    const int count = 1000;
    std::vector<int> host(count);
    for (int i = 0; i < count; i++) {
        host[i] = i;
    }
    int *data = device_copy(host.data(), count), offset = 7;
    map<<<8, 128>>>(data, count, scale{3.0});
    map<<<8, 128>>>(data, count, [offset] __device__(int value, int i) { return value + offset * i; });
    LAUNCHED();
    host_copy(host.data(), data, count);
    for (int i = 0; i < count; i++) {
        REQUIRE(host[i] == 10 * i, "element %d is %d", i, host[i]);
    }
    float *real = device_array<float>(1), f;
    int n;
    inner::store<<<1, 1>>>(data);
    inner::store<<<1, 1>>>(real);
    LAUNCHED();
    host_copy(&n, data, 1);
    host_copy(&f, real, 1);
    REQUIRE(n == 1 && f == 2.5f, "overloads: %d %g", n, f);
    constant<10><<<1, 1>>>(data);
    LAUNCHED();
    host_copy(&n, data, 1);
    REQUIRE(n == 3628800, "10! is %d", n);
    printf("ok templates\n");
    return 0;
}
